import { environmentValues } from '../../../engine/environment.js';
import type { Ports } from '../../../engine/ports.js';
import { type Graph, GraphError, type GraphNode } from '../../../engine/workflow/graph/graph.js';
import { hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { ReusePolicy } from '../../../engine/workflow/history/planned-replay.js';
import { planReplay, type ReplayPlan } from '../../../engine/workflow/history/replay-plan.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import type { Preparation, RunPreparer, SubmittedInput } from '../admission/run-preparer.js';
import { secretsOf } from '../admission/sealed-input.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { requestDigest } from '../journal/request-digest.js';
import { engineEvents, type JournalEvent, type RunJournal } from '../journal/run-journal.js';
import type { RunPayloads } from '../journal/run-payloads.js';
import { takeOverSecrets } from './kept-secrets.js';
import { loadChosenRevision, namesOtherRevision, type RevisionChoice } from './run-revision.js';

/** The dependencies of the planner. */
export interface ReplayPlannerParts {
  database: Database;
  runs: WorkflowRunService;
  revisions: RevisionStore;
  payloads: RunPayloads;
  journal: RunJournal;
  preparer: RunPreparer;
  vault: Vault;
  ports: Pick<Ports, 'clock' | 'html'>;
}

/** How a run is repeated. */
export interface ReplayRequest extends RevisionChoice, SubmittedInput {
  /** Id of the first node to execute. Absent: the first one whose request has changed or that has no result. */
  nodeId?: string | null | undefined;
  /** False: all nodes are executed again. */
  reusesResults: boolean;
  /** Given: the run must belong to this workflow. */
  workflowId?: number | null | undefined;
}

/** A repetition of a run before it starts. */
export interface PreparedReplay {
  original: WorkflowRun;
  revision: Revision;
  graph: Graph;
  prepared: Preparation;
  /** The events of the original, as stored and with the contents from before masking. */
  masked: readonly JournalEvent[];
  unmasked: readonly JournalEvent[];
  /** Null: the run would be refused. */
  plan: ReplayPlan | null;
}

/** Finds out which results a repetition of a run can take over. */
export class ReplayPlanner {
  constructor(private readonly parts: ReplayPlannerParts) {}

  /**
   * Prepares a repetition of a run.
   * @throws InvalidInputError when the results have expired, the graph is invalid or the node is not reachable
   */
  async prepare(viewer: Viewer, runId: string, request: ReplayRequest): Promise<PreparedReplay> {
    const { runs, payloads, journal, preparer, vault } = this.parts;
    const original = await runs.getStartable(viewer, runId, request.workflowId ?? null);
    const [payload] = await payloads.read([original]);
    if (original.isExpired || !payload)
      throw new InvalidInputError({ id: ['The results of this run have expired. Start a new run instead.'] });
    const revision = await loadChosenRevision(this.parts, viewer, original, request);
    const { graph } = revision;
    if (graph instanceof GraphError)
      throw new InvalidInputError({
        id: ['The graph of this run is invalid. Correct the workflow and start a new run.'],
      });
    const policy = policyOf(graph, request);
    const stored = preparer.storedInput(runId, payload);
    await takeOverSecrets(this.parts.revisions, revision, { revisionId: original.revisionId, stored }, request);
    const hasOwnInput = request.input !== undefined || (request.inputText ?? null) !== null;
    const { environment } = original;
    const submitted = { ...(hasOwnInput ? request : { input: stored.input }), environment };
    const accepted = await preparer.prepare(revision, submitted, stored.secrets);
    const masked = (await journal.read(runId))?.events ?? [];
    const unmasked = await journal.restoreContents(original, masked, vault);
    const plan =
      accepted.status === 201 ? await this.#plan({ original, revision, graph, accepted, unmasked, policy }) : null;
    // The reused contents were produced with the secrets of the original run.
    const { secrets, rules } = await this.#originalSecrets(original, revision, stored.input);
    const inherited = secretsOf({ ...stored, members: stored.secrets }, secrets);
    const hostRules = [...stored.hostRules, ...rules, ...hostRulesOf(revision.data, stored.input, revision.secrets)];
    return { original, revision, graph, prepared: { ...accepted, inherited, hostRules }, masked, unmasked, plan };
  }

  /** Secrets of the original graph may be in its results. The chosen revision may have others. */
  async #originalSecrets({ revisionId }: WorkflowRun, revision: Revision, input: Record<string, unknown>) {
    if (revisionId === revision.id) return { secrets: {}, rules: [] };
    const { data, secrets } = await this.parts.revisions.get(revisionId);
    return { secrets, rules: hostRulesOf(data, input, secrets) };
  }

  #plan({ original, revision, graph, accepted, unmasked, policy }: PlanParts): Promise<ReplayPlan> {
    const { vault, ports } = this.parts;
    const source = { runId: original.id, events: engineEvents(unmasked) };
    const target = {
      graph,
      input: accepted.input,
      environment: environmentValues(accepted.variables ?? []),
      secrets: revision.secrets,
      workflowId: revision.workflowId,
    };
    const { signal } = new AbortController();
    return planReplay(source, target, { policy, digest: requestDigest(vault), ports, signal });
  }
}

interface PlanParts {
  original: WorkflowRun;
  revision: Revision;
  graph: Graph;
  accepted: Preparation;
  unmasked: readonly JournalEvent[];
  policy: ReusePolicy;
}

/**
 * Returns which results are reused. With a first node in the revision of the original, all results before it are
 * reused, also if the input differs. Otherwise those with the same request are.
 */
function policyOf(graph: Graph, request: ReplayRequest): ReusePolicy {
  const { nodeId, reusesResults } = request;
  if (!reusesResults) return { repeats: () => true, ignoresRequests: false };
  if (nodeId == null) return { repeats: () => false, ignoresRequests: false };
  const from = graph.byId.get(nodeId);
  if (!from?.isReachable)
    throw new InvalidInputError({
      nodeId: ['Must be the id of a reachable top-level node in the graph of the run.'],
    });
  const after = new Set<GraphNode>([from]);
  // Iterating a set also visits elements that are added during the iteration.
  for (const node of after) for (const next of node.next) after.add(next);
  return { repeats: node => after.has(node), ignoresRequests: !namesOtherRevision(request) };
}
