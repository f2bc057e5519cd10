import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';

/** Polls a run once, and returns the `data` of the envelope. */
export async function pollRun(service: TestService, runId: string, key = service.key) {
  const { status, body } = await restAsDeclared(service, 'GET', `/api/v1/workflows/workflow_result/?id=${runId}`, {
    key,
  });
  if (status !== 200) throw new Error(`polling answered ${status}`);
  return body.data;
}

/** Polls a run until it has ended, and returns the `data` of the envelope. The error of a run that hangs shows its rows. */
export async function awaitFinish(service: TestService, runId: string, key = service.key) {
  try {
    return await eventually(
      () => pollRun(service, runId, key),
      run => run.status === 'succeed' || run.status === 'failed',
    );
  } catch (error) {
    throw new Error(`${(error as Error).message}; its rows are ${JSON.stringify(await rowsOf(service, runId))}`);
  }
}

/** Returns what decides when a run continues: its row, its job, and its waits with the events of the project. */
function rowsOf({ sql }: TestService, runId: string) {
  const queries = [
    'select state, signals, wake_at, attempts, lease_token, sequence, updated_at, now() from workflow_run where id = $1',
    'select state, start_after, retry_count, priority, heartbeat_on from pgboss.job where id = $1',
    'select * from workflow_run_event_wait where run_id = $1',
    `select e.id, e.name, e.sent_at, e.delivered_at, j.state as job from workflow_event e
       join workflow_run r using (project_id) left join pgboss.job j on j.id = e.id where r.id = $1`,
  ];
  return Promise.all(queries.map(query => sql(query, [runId])));
}
