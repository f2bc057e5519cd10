import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Claims } from '../../src/durable/lease-token.js';
import type { ClaimedRow, TableClaims } from '../../src/durable/table-claims.js';
import { KeywordRunClaims } from '../../src/modules/keywords/runs/keyword-run-claims.js';
import {
  jobIdOf,
  RecognitionClaims,
  RecognitionLostError,
} from '../../src/modules/recognition/execution/recognition-claims.js';
import { RehearsalClaims } from '../../src/modules/rehearsals/execution/rehearsal-claims.js';
import { ScenarioRunClaims } from '../../src/modules/scenario-runs/execution/scenario-run-claims.js';
import { RetrySchedule } from '../../src/modules/webhooks/deliveries/retry-schedule.js';
import type { Attempt } from '../../src/modules/webhooks/deliveries/webhook-attempt.js';
import { WebhookClaims } from '../../src/modules/webhooks/deliveries/webhook-claims.js';
import type { WebhookOutbox } from '../../src/modules/webhooks/webhook-outbox.js';
import { type ClaimedRun, LeaseLostError, RunClaims } from '../../src/modules/workflow-runs/execution/run-claims.js';
import { type RunRecord, RunRecorder } from '../../src/modules/workflow-runs/journal/run-recorder.js';
import { type Database, LEASE_STATEMENT } from '../../src/platform/database/database.js';
import { openDatabase } from '../support/database.js';
import { noQueue, noWebhooks } from '../support/jobs/no-queue.js';
import { insertQueuedRun } from '../support/jobs/queued-run.js';

const AT = '2026-01-02T03:04:05.678Z';
const never = new AbortController().signal;

let database: Database;
let project: number;
beforeAll(async () => {
  database = await openDatabase();
  const [row] = await database.query<{ id: number }>(`insert into project (name) values ('Leases') returning id`);
  project = row!.id;
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, $1, '{}')`, [project]);
});
afterAll(() => database?.close());

/** Lets two workers claim the same row: between the claims a fail-over restores the row. */
async function claimTwice<Claimed>(table: string, claim: () => Promise<Claimed>): Promise<[Claimed, Claimed]> {
  await database.query(`create table before_fail_over as select * from ${table}`);
  const first = await claim();
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and column_name <> 'id'`,
    [table],
  );
  const names = columns.map(({ name }) => name).join(', ');
  await database.query(
    `update ${table} t set (${names}) = (select ${names} from before_fail_over b where b.id = t.id)`,
  );
  await database.query('drop table before_fail_over');
  return [first, await claim()];
}

it.each([
  ['workflow runs', (sql: Database) => new RunClaims(sql, noQueue)],
  ['scenario runs', (sql: Database) => new ScenarioRunClaims(sql)],
  ['keyword runs', (sql: Database) => new KeywordRunClaims(sql)],
  ['recognition runs', (sql: Database) => new RecognitionClaims(sql, noQueue, async () => {})],
  ['rehearsals', (sql: Database) => new RehearsalClaims(sql, noQueue)],
])('the renewal of the leases of %s ends before they expire', async (_, createClaims) => {
  const query = jest.fn(async () => []);
  const claims: Pick<Claims<ClaimedRow>, 'findHeld'> = createClaims({ query } as unknown as Database) as never;
  await claims.findHeld([{ id: randomUUID(), runId: 1, projectId: project, token: 1 }]);
  expect(query.mock.calls).toEqual([[expect.any(String), expect.any(Array), LEASE_STATEMENT]]);
});

describe('of two workers that got the same claim through a fail-over, only one writes:', () => {
  const claims = () => new RunClaims(database, noQueue);
  const recorder = () => new RunRecorder(database, claims(), noQueue, noWebhooks, '1');
  const record = (run: ClaimedRun, sequences: number[]): RunRecord => ({
    ...{ run, ledger: [], approvals: [], settled: [], sealedContents: null, costUsd: '0', workedMs: 0, end: null },
    events: sequences.map(sequence => ({ type: 'node.skipped', node: 'a', at: AT, sequence })),
  });

  it('a run of a workflow', async () => {
    const id = await insertQueuedRun(database, project, 1);
    const [one, other] = await claimTwice('workflow_run', async () => (await claims().claim([id]))[0]!);
    expect([other.id, other.attempts]).toEqual([one.id, one.attempts]);
    expect(await claims().findHeld([one])).toEqual([]);
    await expect(recorder().record(record(one, [1]), never)).rejects.toThrow(LeaseLostError);
    expect(await claims().returnToQueue([one], database)).toEqual([]);
    expect(await claims().suspend(one, null, 0)).toBeUndefined();
    await recorder().record(record(other, [1]), never);
    // A repeated write whose answer was lost is accepted; after a lost part, no write is accepted.
    await recorder().record(record(other, [1]), never);
    await expect(recorder().record(record(other, [3]), never)).rejects.toThrow(LeaseLostError);
    await recorder().record(record(other, [2, 3]), never);
    expect(await claims().findHeld([other])).toEqual([other.id]);
  });

  it.each([
    ['scenario_run', ScenarioRunClaims, 'billing_id, project_id, status', `gen_random_uuid(), $1, 'created'`],
    ['keyword_run', KeywordRunClaims, 'project_id, topic, preset, status', `$1, 'tea', 1, 'created'`],
  ])('%s', async (table, Claims, columns, values) => {
    const [made] = await database.query<{ id: string }>(
      `insert into ${table} (${columns}) values (${values}) returning billing_id as id`,
      [project],
    );
    const claims = () => new Claims(database) as TableClaims<ClaimedRow>;
    const [one, other] = await claimTwice(table, async () => (await claims().claim([made!.id]))[0]!);
    expect(other.id).toBe(one.id);
    expect(await claims().findHeld([one])).toEqual([]);
    expect(await claims().returnToQueue([one], database)).toEqual([]);
    expect(await claims().findHeld([other])).toEqual([other.id]);
  });

  it('a recognition run', async () => {
    const [document] = await database.query<{ id: number }>(
      `insert into document (project_id, key, filename, result_file, content_type, size, sha256)
       values ($1, 'a', 'a.txt', 'a', 'text/plain', 1, '') returning id`,
      [project],
    );
    const [run] = await database.query<{ id: number }>(
      `insert into recognition_run (project_id, document_id, chunk_size) values ($1, $2, 100) returning id`,
      [project, document!.id],
    );
    const claims = () => new RecognitionClaims(database, noQueue, async () => {});
    const [one, other] = await claimTwice(
      'recognition_run',
      async () => (await claims().claim([jobIdOf(run!.id)]))[0]!,
    );
    expect(other.attempts).toBe(one.attempts);
    await expect(claims().recordProgress(one, 0.5)).rejects.toThrow(RecognitionLostError);
    await expect(claims().finish(one)).rejects.toThrow(RecognitionLostError);
    await claims().recordProgress(other, 0.5);
    await claims().finish(other);
  });

  it('the delivery of a webhook', async () => {
    await database.query(
      `insert into webhook_delivery (id, project_id, type, url, is_to_project, body)
       values (gen_random_uuid(), $1, 'webhook.test', 'https://example.com', false, '{}')`,
      [project],
    );
    const claims = () =>
      new WebhookClaims(
        database,
        noQueue,
        { wake: async () => {} } as unknown as WebhookOutbox,
        new RetrySchedule([1]),
      );
    const attempt: Attempt = {
      ...{ at: new Date(), status: 200, error: null, durationMs: 1 },
      ...{ verdict: 'delivered', retryAfterSeconds: null },
    };
    const stateOf = async () =>
      (await database.query<{ state: string }>('select state from webhook_delivery'))[0]!.state;
    const [one, other] = await claimTwice(
      'webhook_delivery',
      async () => (await claims().claim(new Map([[project, 1]])))[0]!,
    );
    expect([other.id, other.attempt]).toEqual([one.id, one.attempt]);
    await claims().settle(one, attempt);
    expect(await stateOf()).toBe('pending');
    await claims().settle(other, attempt);
    expect(await stateOf()).toBe('delivered');
  });
});
