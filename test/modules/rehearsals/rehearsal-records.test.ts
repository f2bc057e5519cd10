import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import type { ClaimedRehearsal } from '../../../src/modules/rehearsals/execution/rehearsal-claims.js';
import { RehearsalRecords } from '../../../src/modules/rehearsals/execution/rehearsal-records.js';
import { RehearsedRunOutcome, type RunReport } from '../../../src/modules/rehearsals/rehearsal.js';
import { Vault } from '../../../src/platform/crypto/crypto.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { greeting } from '../../support/graphs.js';
import { createWorkflow } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let database: Database;
let records: RehearsalRecords;
let rehearsal: ClaimedRehearsal;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  database = await openDatabase(service.database);
  records = new RehearsalRecords(database, new Vault('only for this test, 32 characters or more'));
  const workflow = await createWorkflow(service, greeting());
  const [row] = await database.query<{ id: string; projectId: number }>(
    `insert into rehearsal (id, project_id, workflow_id, kind, state, settings, budget_usd, lease_token)
     select $1, project_id, id, 'bisect', 'running', '{"allow": []}', 1, 1 from workflow where id = $2
     returning id, project_id as "projectId"`,
    [randomUUID(), workflow],
  );
  rehearsal = { ...row!, token: 1, userId: null } as ClaimedRehearsal;
});
afterAll(async () => {
  await database?.close();
  await service?.stop();
});

// A worker repeats a write when the connection is lost after the commit.
it('records a run, its calls and its end once when a write is repeated', async () => {
  const row = { id: randomUUID(), runId: randomUUID(), revisionId: null, position: 1 };
  const event = { type: 'node.succeeded', node: 'a', content: 'x', at: '2026-11-25T00:00:00.000Z' } as RunEvent;
  const calls = { events: [event] as const, firstSequence: 1, charges: [], settled: [], costUsd: '0.25' };
  const end = { outcome: RehearsedRunOutcome.CHANGED, report: {} as RunReport };
  const repeat = async (write: () => Promise<void>) => {
    await write();
    await write();
  };
  await repeat(() => records.addRun(rehearsal, row));
  await repeat(() => records.record(rehearsal, row.id, calls));
  expect(await records.readEvents(row.id)).toEqual([event]);
  await repeat(() => records.endRun(rehearsal, row.id, end));
  expect(await records.readRuns(rehearsal.id)).toMatchObject([{ ...row, outcome: 'changed' }]);
  const [counts] = await database.query(
    'select spent_usd::float8 as spent, runs_count as runs, ended_count as ended from rehearsal where id = $1',
    [rehearsal.id],
  );
  expect(counts).toEqual({ spent: 0.25, runs: 1, ended: 1 });
});
