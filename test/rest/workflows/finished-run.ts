import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';

/** The `data` of the envelope that polling returns for a run. */
export async function polled(service: TestService, runId: string, key = service.key) {
  const { status, body } = await restAsDeclared(service, 'GET', `/api/v1/workflows/workflow_result/?id=${runId}`, {
    key,
  });
  if (status !== 200) throw new Error(`polling answered ${status}`);
  return body.data;
}

/** The same once the run has ended. */
export function awaitFinish(service: TestService, runId: string, key = service.key) {
  return eventually(
    () => polled(service, runId, key),
    run => run.status === 'succeed' || run.status === 'failed',
  );
}
