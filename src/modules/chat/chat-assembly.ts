import type { Usage } from '../../engine/ports.js';
import type { Config } from '../../platform/config/config.js';
import type { Database } from '../../platform/database/database.js';
import type { Log } from '../../platform/logging/log.js';
import type { PolledMetric } from '../../platform/metrics/polled-metric.js';
import type { LineSpool } from '../../platform/spool/line-spool.js';
import { AnsweredCalls } from './answered-calls.js';
import { type ChatParts, ChatService } from './chat.service.js';
import { ChatLedger } from './chat-ledger.js';

interface Parts
  extends Pick<
    ChatParts,
    'access' | 'budget' | 'keyBudget' | 'billing' | 'models' | 'servedModels' | 'createAbortController'
  > {
  config: Pick<Config, 'chatTimeoutMs' | 'chatIdleMs' | 'chatRetries' | 'chatFallbacks'>;
  database: Database;
  log: Log;
  /** Keeps ledger entries while the database is unavailable. */
  spool: LineSpool;
  /** Called with the token usage of each completion. */
  reportUsage: (usage: Usage) => void;
}

/** The chat service and the lifecycle of what it writes after responses. */
export interface ChatAssembly {
  service: ChatService;
  /** Metrics of the ledger and its spool. */
  metrics: readonly PolledMetric[];
  /** Starts writing spooled entries to the ledger. */
  start(): void;
  /** Resolves when all answered calls are on the ledger or in the spool. */
  settle(): Promise<void>;
}

/** Creates the chat service with its ledger and its counts of answered calls. */
export function assembleChat({ config, log, reportUsage, database, spool, ...parts }: Parts): ChatAssembly {
  const ledger = new ChatLedger({ database, log, spool, reportUsage });
  const answered = new AnsweredCalls(database, log);
  const { chatTimeoutMs: timeoutMs, chatIdleMs: idleMs, chatRetries: retries, chatFallbacks: fallbacks } = config;
  const service = new ChatService({ ...parts, ledger, answered, fallbacks, limits: { timeoutMs, idleMs, retries } });
  return {
    service,
    metrics: ledger.metrics,
    start() {
      ledger.start();
      answered.start();
    },
    async settle() {
      await ledger.settle();
      await answered.stop();
    },
  };
}
