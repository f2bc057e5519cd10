import type { Graph, GraphNode } from '../../../engine/workflow/graph/graph.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { nodesWithin } from '../../../engine/workflow/graph/node-checks.js';
import type { PlannedCall } from '../../../engine/workflow/history/planned-replay.js';
import type { ReplayPlan } from '../../../engine/workflow/history/replay-plan.js';
import { hasRequest } from '../../../engine/workflow/history/resolved-request.js';
import type { Database } from '../../../platform/database/database.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { type Currencies, sum } from '../../../platform/money/money.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { engineEvents, type JournalEvent, type RunJournal } from '../journal/run-journal.js';
import { readRunCosts } from './recorded-costs.js';
import { RecordedExecutions } from './recorded-executions.js';
import type { ReplayPlanner, ReplayRequest } from './replay-planner.js';
import { WorkflowRunAction, type WorkflowRunEffect, type WorkflowRunEffects } from './run-effects.type.js';

interface EffectsParts {
  planner: ReplayPlanner;
  database: Database;
  runs: WorkflowRunService;
  revisions: RevisionStore;
  journal: RunJournal;
  currencies: Currencies;
}

type EffectsRequest = ReplayRequest & { action: WorkflowRunAction };

/** Waiting for a time has no effect outside. */
const WITHOUT_CALL = new Set(['delay-node']);
/** Kinds other than models whose execution may cost something. */
const PAID = new Set(['subworkflow-node', 'scenario-node', 'loop-node']);
const NO_PLAN: ReplayPlan = { calls: [], isReused: () => false, isTakenOver: () => false };

/** Computes the effects of running a run again or of cancelling it. It starts and changes nothing. */
export class RunEffectsService {
  constructor(private readonly parts: EffectsParts) {}

  async effects(viewer: Viewer, runId: string, { action, ...request }: EffectsRequest): Promise<WorkflowRunEffects> {
    if (action !== WorkflowRunAction.FORK && request.nodeId != null)
      throw new InvalidInputError({ nodeId: ['Send this field only for a fork.'] });
    if (action === WorkflowRunAction.CANCEL) return this.#ofCancel(viewer, runId);
    const reusesResults = action === WorkflowRunAction.FORK || request.reusesResults;
    const { original, graph, prepared, masked, plan } = await this.parts.planner.prepare(viewer, runId, {
      ...request,
      reusesResults,
    });
    if (!plan)
      throw new InvalidInputError({
        id: [`The new run would be refused with the inner status ${prepared.status}. Correct the graph or the input.`],
      });
    const own = await this.parts.revisions.get(original.revisionId);
    return this.#toEffects(runId, masked, [graph, own.graph], plan);
  }

  async #ofCancel(viewer: Viewer, runId: string): Promise<WorkflowRunEffects> {
    const { runs, revisions, journal } = this.parts;
    const run = await runs.get(viewer, runId, null, 'workflow.run');
    const { graph } = await revisions.get(run.revisionId);
    return this.#toEffects(runId, (await journal.read(runId))?.events ?? [], [graph], NO_PLAN);
  }

  async #toEffects(
    runId: string,
    journal: readonly JournalEvent[],
    graphs: readonly (Graph | GraphError)[],
    plan: ReplayPlan,
  ): Promise<WorkflowRunEffects> {
    const { database, currencies } = this.parts;
    const made = new RecordedExecutions(runId, engineEvents(journal));
    const costs = await readRunCosts(database, runId, made.subRuns);
    const planned = Map.groupBy(plan.calls, ({ node }) => node);
    let unknownCostCount = 0;
    const amounts: string[] = [];
    const effects = callingNodes(graphs).map(node => {
      const calls = planned.get(node.id) ?? [];
      const ahead = calls.filter(({ kind }) => kind !== 'reused');
      const known = ahead.map(call => (call.kind === 'repeated' ? costs.of(call) : undefined));
      if (isPaid(node)) unknownCostCount += known.filter(cost => cost === undefined).length;
      const expected = sum(known.filter(cost => cost !== undefined));
      amounts.push(expected);
      return { ...countsOf(node, calls, plan, made), expectedCost: currencies.of(expected) };
    });
    return {
      nodes: effects.filter(isShown),
      expectedCost: currencies.of(sum(amounts)),
      unknownCostCount,
    };
  }
}

/** The nodes with calls of the new graph in order, then those that only the graph of the run has. */
function callingNodes(graphs: readonly (Graph | GraphError)[]): GraphNode[] {
  const byId = new Map<string, GraphNode>();
  for (const graph of graphs) {
    if (graph instanceof GraphError) continue;
    for (const node of nodesWithin(graph))
      if (hasRequest(node) && !WITHOUT_CALL.has(node.kind.type) && !byId.has(node.id)) byId.set(node.id, node);
  }
  return [...byId.values()];
}

function countsOf(
  node: GraphNode,
  calls: readonly PlannedCall[],
  plan: ReplayPlan,
  made: RecordedExecutions,
): Omit<WorkflowRunEffect, 'expectedCost'> {
  const countOf = (kind: PlannedCall['kind']) => calls.filter(call => call.kind === kind).length;
  const { id, label, kind } = node;
  const executions = made.of(id);
  return {
    ...{ nodeId: id, label, type: kind.type },
    madeCount: executions.ended.length,
    openCount: executions.open.length,
    reusedCount: executions.results.filter(place => plan.isReused(place)).length,
    repeatedCount: countOf('repeated'),
    newCount: countOf('new'),
    isCertain: calls.every(({ isCertain }) => isCertain),
    idempotencyKeys: made.keysOf(node),
  };
}

function isShown({ madeCount, openCount, reusedCount, repeatedCount, newCount }: WorkflowRunEffect): boolean {
  return madeCount + openCount + reusedCount + repeatedCount + newCount > 0;
}

function isPaid({ kind }: GraphNode): boolean {
  return kind.category === 'ai' || PAID.has(kind.type);
}
