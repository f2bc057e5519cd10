import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
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
/** Slower than the ledger waits for before it uses the spool. */
const SLOW_STATEMENT_MS = 300;
const MODEL = 'echo/slow';
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

const unpaidEntry = (): ChatEntry => ({
  ...{ id: randomUUID(), userId: 1, keyId: null, projectId: undefined, status: 'Success', amountUsd: '0' },
  ...{ description: MODEL, usage: [], reason: undefined, serviceUsd: undefined },
  ...{ reservation: undefined, keyReservation: undefined },
});

/** A spool that stores its entries only when the test releases it, as on a slow disk. */
class SlowSpool extends LineSpool {
  readonly release = Promise.withResolvers<void>();
  /** Numbers of entries of the appends that have started. */
  readonly appended: number[] = [];
  /** Numbers of replayed entries. */
  readonly replayed: number[] = [];

  override async append(entries: readonly unknown[]): Promise<void> {
    this.appended.push(entries.length);
    await this.release.promise;
    await super.append(entries);
  }

  override async replay(...parts: Parameters<LineSpool['replay']>): Promise<number> {
    const count = await super.replay(...parts);
    this.replayed.push(count);
    return count;
  }
}

it('does not wait for an unavailable database again because a replay has found an empty spool', async () => {
  const spool = new SlowSpool(path.join(folder, 'slow'), 'chat');
  const ledger = new ChatLedger({ database, log, spool, reportUsage: () => {} });
  const write = jest.spyOn(database, 'prepared').mockImplementation(async () => {
    await delay(SLOW_STATEMENT_MS);
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  ledger.start();
  try {
    ledger.record(unpaidEntry, false);
    await eventually(
      async () => spool.appended,
      appended => appended.length === 1,
    );
    const replays = spool.replayed.length;
    await eventually(
      async () => spool.replayed,
      replayed => replayed.length > replays,
    );
    ledger.record(unpaidEntry, false);
    spool.release.resolve();
    await eventually(
      async () => spool.appended,
      appended => appended.length === 2,
    );
    expect(new Set(spool.replayed)).toEqual(new Set([0]));
    expect(write.mock.calls.filter(([name]) => name === 'write-chats')).toHaveLength(1);
    write.mockRestore();
    await eventually(
      () => spool.isEmpty(),
      isEmpty => isEmpty,
    );
  } finally {
    await ledger.settle();
  }
  const rows = await database.query('select count(*)::int as count from billing_transaction where description = $1', [
    MODEL,
  ]);
  expect(rows).toEqual([{ count: 2 }]);
});
