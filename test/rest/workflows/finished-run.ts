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

/** Polls a run until it has ended, and returns the `data` of the envelope. */
export function awaitFinish(service: TestService, runId: string, key = service.key) {
  return eventually(
    () => pollRun(service, runId, key),
    run => run.status === 'succeed' || run.status === 'failed',
  );
}
