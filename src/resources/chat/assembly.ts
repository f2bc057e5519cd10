import type { Config } from '../../base/config.js';
import type { Database } from '../../base/database.js';
import type { Log } from '../../base/log.js';
import type { Usage } from '../../engine/ports.js';
import { type ChatParts, ChatService } from './chat.service.js';
import { ChatLedger } from './chat-ledger.js';

interface Parts extends Pick<ChatParts, 'access' | 'budget' | 'keyBudget' | 'billing' | 'models'> {
  config: Pick<Config, 'chatTimeoutMs' | 'chatIdleMs' | 'chatRetries' | 'chatFallbacks'>;
  database: Database;
  log: Log;
  /** Hears of each completion what it used. */
  tellUse: (usage: Usage) => void;
}

export interface ChatAssembly {
  service: ChatService;
  /** Writes what is not on the ledger yet. */
  settle(): Promise<void>;
}

export function assembleChat({ config, log, tellUse, database, ...parts }: Parts): ChatAssembly {
  const ledger = new ChatLedger(database, log, tellUse);
  const { chatTimeoutMs: timeoutMs, chatIdleMs: idleMs, chatRetries: retries, chatFallbacks: fallbacks } = config;
  const service = new ChatService({ ...parts, ledger, fallbacks, limits: { timeoutMs, idleMs, retries } });
  return { service, settle: () => ledger.settle() };
}
