import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { WorkflowRunService } from './workflow-run.service.js';

/** Starts a new run with the revision and the input of a failed run. Returns the id of the new run. */
export async function redriveRun(runs: WorkflowRunService, viewer: Viewer, runId: string): Promise<string> {
  const { workflowId } = await runs.get(viewer, runId, null, 'workflow.run');
  if (workflowId === null)
    throw new InvalidInputError({
      id: ['This run has no workflow, so its graph cannot be restarted from here. Start a new run with the graph.'],
    });
  const receipt = await runs.restart(viewer, workflowId, runId, {});
  if (receipt.status === 201) return receipt.runId;
  throw new InvalidInputError({ id: [`The new run was refused with the inner status ${receipt.status}.`] });
}
