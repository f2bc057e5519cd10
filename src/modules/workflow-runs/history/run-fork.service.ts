import { type Graph, GraphError, type GraphNode } from '../../../engine/workflow/graph/graph.js';
import { hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { RunAdmission } from '../admission/run-admission.js';
import type { RunPreparer, SubmittedInput } from '../admission/run-preparer.js';
import { secretsOf } from '../admission/sealed-input.js';
import type { Prefix } from '../execution/prefix.js';
import {
  contentKey,
  contentsSealContext,
  engineEvents,
  type JournalEvent,
  type RunJournal,
} from '../journal/run-journal.js';
import type { RunPayloads } from '../journal/run-payloads.js';
import type { WorkflowRunReceipt } from './workflow-run.inputs.js';
import type { WorkflowRunService } from './workflow-run.service.js';

export interface RunForkParts {
  runs: WorkflowRunService;
  revisions: RevisionStore;
  payloads: RunPayloads;
  journal: RunJournal;
  preparer: RunPreparer;
  admission: RunAdmission;
  budget: Budget;
  vault: Vault;
}

/** Starts new runs that reuse results of earlier runs. */
export class RunForkService {
  constructor(private readonly parts: RunForkParts) {}

  /**
   * Runs the graph of a run again, starting at one of its nodes. Results of finished nodes that do not follow this
   * node are reused, and these nodes are not charged again. Triggers are evaluated again, because the input may
   * differ. Throws InvalidInputError when the results have expired or the node is not reachable.
   */
  async fork(
    viewer: Viewer,
    runId: string,
    nodeId: string,
    { reservedId, ...submitted }: SubmittedInput & { reservedId?: string | undefined },
  ): Promise<WorkflowRunReceipt> {
    const { runs, revisions, payloads, journal, preparer, admission, budget, vault } = this.parts;
    const original = await runs.get(viewer, runId, null, 'workflow.run');
    const [payload] = await payloads.read([original]);
    if (original.expired || !payload)
      throw new InvalidInputError({ id: ['The results of this run have expired. Start a new run instead.'] });
    const revision = await revisions.get(original.revisionId);
    const { graph } = revision;
    if (graph instanceof GraphError)
      throw new InvalidInputError({
        id: ['The graph of this run is invalid. Correct the workflow and start a new run.'],
      });
    const from = graph.byId.get(nodeId);
    if (!from?.isReachable)
      throw new InvalidInputError({
        nodeId: ['Must be the id of a reachable top-level node in the graph of the run.'],
      });

    const stored = preparer.storedInput(runId, payload);
    // The reused contents were produced with the secrets of the original run.
    const inherited = secretsOf({ ...stored, members: stored.secrets }, {});
    const hostRules = [...stored.hostRules, ...hostRulesOf(revision.data, stored.input, revision.secrets)];
    const accepted = await preparer.prepare(
      revision,
      submitted.input === undefined ? stored : submitted,
      stored.secrets,
    );
    const use = accepted.status === 201 ? await budget.spentUse(original.projectId) : null;
    const prepared = use ? preparer.refuseOverBudget(accepted, use) : accepted;

    const id = reservedId ?? timeOrderedUuid();
    const masked = (await journal.read(runId))?.events ?? [];
    const unmasked = await journal.restoreContents(original, masked, vault);
    const receipt = await admission.admit(
      {
        id,
        projectId: original.projectId,
        workflowId: original.workflowId,
        revisionId: original.revisionId,
        userId: viewer.userId,
        forkedFromId: runId,
        prefix: buildPrefix(id, { graph, from, masked, unmasked, vault }),
        state: 'queued',
      },
      { ...prepared, inherited, hostRules },
    );
    return receipt ?? admission.receiptOf(id);
  }
}

interface PrefixParts {
  graph: Graph;
  from: GraphNode;
  masked: readonly JournalEvent[];
  unmasked: readonly JournalEvent[];
  vault: Vault;
}

/** Builds the prefix of a fork: the reused events, renumbered, and their unmasked contents, sealed for the new run. */
function buildPrefix(id: string, { graph, from, masked, unmasked, vault }: PrefixParts): Prefix {
  const reusedIds = reusableNodeIds(graph, from);
  const events: JournalEvent[] = [];
  const contents: Record<string, string> = {};
  for (const [index, event] of masked.entries()) {
    const [engineEvent] = engineEvents([event]);
    const reused = engineEvent && toReusedEvent(engineEvent, reusedIds);
    if (!reused) continue;
    events.push({ ...reused, sequence: events.length + 1 });
    const original = unmasked[index];
    if (reused.type === 'node.succeeded' && original?.type === 'node.succeeded' && original.content !== reused.content)
      contents[contentKey(reused)] = original.content;
  }
  const hasSecrets = Object.keys(contents).length > 0;
  return {
    events,
    ledger: [],
    sealedContents: hasSecrets ? vault.seal(JSON.stringify(contents), contentsSealContext(id, 1)) : null,
  };
}

/** Returns the ids of the nodes whose results are reused: all except triggers, the first node and its successors. */
function reusableNodeIds(graph: Graph, from: GraphNode): Set<string> {
  const after = new Set<GraphNode>([from]);
  // Iterating a set also visits elements that are added during the iteration.
  for (const node of after) for (const next of node.next) after.add(next);
  const reusedIds = graph.order.filter(node => !after.has(node) && node.kind.type !== 'trigger-node');
  return new Set(reusedIds.map(node => node.id));
}

/** Returns the reused end event of a node. Its usage was charged to the run that executed it. */
function toReusedEvent(event: RunEvent, reusedIds: ReadonlySet<string>): RunEvent | undefined {
  if (!('node' in event) || event.iteration !== undefined || !reusedIds.has(event.node)) return undefined;
  if (event.type !== 'node.succeeded' && !(event.type === 'node.failed' && event.continued)) return undefined;
  const { usage: _charged, durable: _durable, ...rest } = event;
  return { ...rest, reused: true };
}
