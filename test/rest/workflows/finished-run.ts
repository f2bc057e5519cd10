import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';

/** What polling says of a run: the `data` of the envelope. */
export async function polled(service: TestService, runId: string, key = service.key) {
  const { status, body } = await restAsDeclared(service, 'GET', `/api/v1/workflows/workflow_result/?id=${runId}`, {
    key,
  });
  if (status !== 200) throw new Error(`polling answered ${status}`);
  return body.data;
}

/** The same once the run has ended. */
export function finished(service: TestService, runId: string, key = service.key) {
  return eventually(
    () => polled(service, runId, key),
    run => run.status === 'succeed' || run.status === 'failed',
  );
}
