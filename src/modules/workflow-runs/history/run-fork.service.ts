import type { NodePlace } from '../../../engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import type { RunAdmission } from '../admission/run-admission.js';
import type { RunPreparer } from '../admission/run-preparer.js';
import type { Prefix } from '../execution/prefix.js';
import { addUnmasked, contentsSealContext, engineEvents, type JournalEvent } from '../journal/run-journal.js';
import type { PreparedReplay, ReplayPlanner, ReplayRequest } from '../replay/replay-planner.js';
import type { WorkflowRunReceipt } from './workflow-run.inputs.js';

export interface RunForkParts {
  planner: ReplayPlanner;
  preparer: RunPreparer;
  admission: RunAdmission;
  budget: Budget;
  vault: Vault;
}

/** Starts new runs that reuse results of earlier runs. */
export class RunForkService {
  constructor(private readonly parts: RunForkParts) {}

  /**
   * Runs the graph of a run again, or another revision of it. Results that the plan takes over are neither executed nor
   * charged again. Triggers are evaluated again, because the input may differ. Throws InvalidInputError when the
   * results have expired or the node is not reachable.
   */
  async fork(
    viewer: Viewer,
    runId: string,
    { reservedId, ...request }: Omit<ReplayRequest, 'reusesResults'> & { reservedId?: string | undefined },
  ): Promise<WorkflowRunReceipt> {
    const { planner, preparer, admission, budget, vault } = this.parts;
    const replay = await planner.prepare(viewer, runId, { ...request, reusesResults: true });
    const { original, revision, prepared: accepted } = replay;
    const reachedLimit = accepted.status === 201 ? await budget.findReachedLimit(original.projectId) : null;
    const prepared = reachedLimit ? preparer.refuseOverBudget(accepted, reachedLimit) : accepted;
    const id = reservedId ?? timeOrderedUuid();
    const receipt = await admission.admit(
      {
        id,
        projectId: original.projectId,
        workflowId: original.workflowId,
        revisionId: revision.id,
        userId: viewer.userId,
        forkedFromId: runId,
        prefix: buildPrefix(id, replay, vault),
        state: 'queued',
      },
      prepared,
    );
    // Without a receipt, an earlier attempt of the request has inserted the run with the reserved id.
    return receipt ?? admission.receiptOf(id);
  }
}

/** Builds the prefix of a fork: the reused events, renumbered, and their unmasked contents, sealed for the new run. */
function buildPrefix(id: string, { plan, masked, unmasked }: PreparedReplay, vault: Vault): Prefix {
  const events: JournalEvent[] = [];
  const contents: Record<string, string> = {};
  for (const [index, event] of masked.entries()) {
    const [engineEvent] = engineEvents([event]);
    const reused = engineEvent && toReusedEvent(engineEvent, place => plan?.isTakenOver(place) ?? false);
    if (!reused) continue;
    events.push({ ...reused, sequence: events.length + 1 });
    const original = unmasked[index];
    if (original?.type === 'node.succeeded') addUnmasked(contents, original, reused);
  }
  const hasSecrets = Object.keys(contents).length > 0;
  return {
    events,
    // The nodes of the prefix were charged to the original run.
    ledger: [],
    sealedContents: hasSecrets ? vault.seal(JSON.stringify(contents), contentsSealContext(id, 1)) : null,
  };
}

/** Returns the reused end event of a node. Its usage was charged to the run that executed it. */
function toReusedEvent(event: RunEvent, isTakenOver: (place: NodePlace) => boolean): RunEvent | undefined {
  if (event.type !== 'node.succeeded' && !(event.type === 'node.failed' && event.continued)) return undefined;
  if (!isTakenOver(event)) return undefined;
  const { usage: _charged, durable: _durable, ...rest } = event;
  return { ...rest, reused: true };
}
