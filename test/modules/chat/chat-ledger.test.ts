import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { restErrorOf } from '../../../rest-compat/runtime/errors.js';
import { domainErrorOf } from '../../../src/graphql/errors.js';
import { AnsweredCalls } from '../../../src/modules/chat/answered-calls.js';
import { type ChatParts, ChatService } from '../../../src/modules/chat/chat.service.js';
import type { ChatEntry } from '../../../src/modules/chat/chat-entry.js';
import { ChatLedger } from '../../../src/modules/chat/chat-ledger.js';
import type { Database } from '../../../src/platform/database/database.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { LineSpool } from '../../../src/platform/spool/line-spool.js';
import { createLanguageModels } from '../../../src/providers/llm/registry.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

/** The documented maximum of answers that wait in memory for the ledger. */
const MAX_WAITING = 20_000;
const log = createLog('silent');

let database: Database;
let folder: string;
beforeAll(async () => {
  database = await openDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-'));
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A chat service whose only provider is `echo`. */
function createService(ledger: ChatLedger): ChatService {
  const models = createLanguageModels({ outbound: createOutbound({ allow: [], trusted: true }) });
  return new ChatService({
    ...{ ledger, answered: new AnsweredCalls(database, log), fallbacks: [] },
    models: { of: () => models },
    budget: { defaults: { userUsd: null, projectUsd: null } },
    limits: { timeoutMs: 60_000, idleMs: 60_000, retries: 0 },
    createAbortController: () => new AbortController(),
  } as unknown as ChatParts);
}

it('paid answers that wait for the ledger are bounded: above the bound, calls are refused with 503 until it has caught up', async () => {
  const ledger = new ChatLedger({ database, log, spool: new LineSpool(folder, 'chat'), reportUsage: () => {} });
  const service = createService(ledger);
  const value = { model: 'echo', messages: [{ role: 'user', content: 'Hello.' }] };
  const status = () =>
    service
      .answer(
        { userId: 1, isAdmin: false, via: 'key', isSpendingLimited: false },
        { text: JSON.stringify(value), value },
        { projectId: null, signal: new AbortController().signal },
      )
      .then(
        answer => [answer.status, undefined],
        error => {
          const refusal = restErrorOf(domainErrorOf(error) ?? error);
          return [refusal?.status, refusal?.retryAfter];
        },
      );
  const { promise, reject } = Promise.withResolvers<ChatEntry>();
  for (let call = 1; call < MAX_WAITING; call++) ledger.record(() => promise, false);
  expect(ledger.isBehind).toBe(false);
  ledger.record(() => promise, false);
  expect(await status()).toEqual([503, 1]);
  expect(await status()).toEqual([503, 1]);
  reject(new Error('not computed'));
  await eventually(
    async () => ledger.isBehind,
    isBehind => !isBehind,
  );
  expect(await status()).toEqual([200, undefined]);
  await ledger.settle();
});
