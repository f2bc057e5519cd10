import { RateLimitedError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { WorkflowLocator } from '../../workflows/locate-workflow.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import { type RunAdmission, startOf } from './run-admission.js';
import type { RunPreparer, SubmittedInput } from './run-preparer.js';

interface RememberedStartParts {
  revisions: Pick<RevisionStore, 'get'>;
  preparer: Pick<RunPreparer, 'prepare'>;
  admission: Pick<RunAdmission, 'admit'>;
}

/**
 * Starts runs of workflows that this process has located for the same viewer before, without locating them again. The statement that
 * inserts the run checks that nothing has changed (ADR 0063).
 */
export class RememberedStarts {
  constructor(
    private readonly locator: Pick<WorkflowLocator, 'remembered'>,
    private readonly parts: RememberedStartParts,
  ) {}

  /**
   * Starts a run of the published revision. Returns undefined, without effects, when the workflow must be located: it is not
   * remembered or has changed, the run is refused, or its id exists.
   */
  async start(
    viewer: Viewer,
    workflowId: number,
    request: SubmittedInput & { ancestry?: readonly number[] | undefined; reservedId?: string | undefined },
  ): Promise<WorkflowRunReceipt | undefined> {
    const workflow = this.locator.remembered(viewer, workflowId);
    if (!workflow || workflow.runnableRevisionId === null || workflow.isCopy) return undefined;
    const { revisions, preparer, admission } = this.parts;
    const revision = await revisions.get(workflow.runnableRevisionId);
    const prepared = await preparer.prepare(revision, request);
    if (prepared.status !== 201 || revision.marketTermsId !== null) return undefined;
    const { reservedId: id, ancestry } = request;
    const run = { ...startOf(viewer, revision, { id, state: 'queued', ancestry }), viewerIsAdmin: viewer.isAdmin };
    return admission.admit(run, prepared, revision).catch(error => {
      // Only viewers who may still run the workflow learn that the queue of the project is full.
      if (error instanceof RateLimitedError) return undefined;
      throw error;
    });
  }
}
