import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Queue } from '../../../../src/durable/queue.js';
import { RunCanceller } from '../../../../src/modules/workflow-runs/execution/run-canceller.js';
import { RunClaims } from '../../../../src/modules/workflow-runs/execution/run-claims.js';
import { RunRecorder } from '../../../../src/modules/workflow-runs/journal/run-recorder.js';
import type { Database } from '../../../../src/platform/database/database.js';
import { openDatabase } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { noQueue, noWebhooks } from '../../../support/jobs/no-queue.js';
import { insertQueuedRun } from '../../../support/jobs/queued-run.js';

let database: Database;
let project: number;
beforeAll(async () => {
  database = await openDatabase();
  const [row] = await database.query<{ id: number }>(`insert into project (name) values ('Parents') returning id`);
  project = row!.id;
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, $1, '{}')`, [project]);
});
afterAll(() => database?.close());

const createRecorder = () => {
  const queue = { ...noQueue, wake: async () => {} } as unknown as Queue;
  return new RunRecorder(database, new RunClaims(database, queue), queue, noWebhooks, '1');
};

/** Writes the end of a sub-run, as its worker does. */
async function endRun(id: string, parentRunId: string): Promise<void> {
  const run = { id, parentRunId, token: 0, sequence: 0, projectId: project, marketWorkflowId: null };
  const end = { state: 'succeeded', result: { data: {} } } as never;
  const record = { run, end, events: [], ledger: [], approvals: [], settled: [] };
  await database.transaction(sql =>
    createRecorder().writeWithin(sql, [{ ...record, sealedContents: null, costUsd: '0', workedMs: 0 }]),
  );
}

async function cancelRun(id: string): Promise<void> {
  const scenarioRuns = { cancelStartedBy: async () => {} };
  await new RunCanceller(database, {} as never, createRecorder(), scenarioRuns as never, {} as never).cancel(id);
}

// The cancellation of the parent locks it first: with the other order, one of two transactions would fail after a second.
it.each([
  ['the end of a sub-run', endRun],
  ['the cancellation of a sub-run', cancelRun],
])('%s locks the parent before the sub-run', async (_, end) => {
  const [parent, child] = [
    await insertQueuedRun(database, project, 1),
    await insertQueuedRun(database, project, 1),
  ] as const;
  await database.query(`update workflow_run set state = 'running' where id in ($1, $2)`, [parent, child]);
  await database.query('update workflow_run set parent_run_id = $1 where id = $2', [parent, child]);
  let ending: Promise<void> | undefined;
  const lockable = await database.transaction(async sql => {
    await sql.query(`update workflow_run set state = 'succeeded' where id = $1`, [child]);
    ending = end(child, parent);
    return eventually(
      () => database.query('select id from workflow_run where id = $1 for update skip locked', [parent]),
      rows => rows.length === 0,
    );
  });
  expect(lockable).toEqual([]);
  await ending;
});
