import { isDeepStrictEqual } from 'node:util';
import { type Graph, GraphError } from '../../../engine/workflow/graph/graph.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Currencies } from '../../../platform/money/money.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { BillingTables } from '../../billing/billing-tables.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { RunNodes } from '../journal/run-nodes.js';
import type { RunPayloads } from '../journal/run-payloads.js';
import type { WorkflowRunDiff, WorkflowRunInputDiff, WorkflowRunNodeDiff } from './run-diff.type.js';
import type { WorkflowRun } from './workflow-run.js';
import type { WorkflowRunService } from './workflow-run.service.js';
import type { WorkflowRunNode } from './workflow-run-node.type.js';

/** The dependencies of the service. */
export interface RunDiffParts {
  database: Database;
  runs: WorkflowRunService;
  revisions: RevisionStore;
  payloads: RunPayloads;
  nodes: RunNodes;
  currencies: Currencies;
}

/** Compares two runs that are visible to the viewer. */
export class RunDiffService {
  constructor(private readonly parts: RunDiffParts) {}

  /** @throws NotFoundError when one of the runs is not visible to the viewer */
  async diff(context: RequestContext, leftId: string, rightId: string): Promise<WorkflowRunDiff> {
    const { runs, revisions, payloads, nodes } = this.parts;
    const left = await runs.get(context.viewer, leftId);
    const right = await runs.get(context.viewer, rightId);
    const [leftRevision, rightRevision] = await Promise.all([
      revisions.get(left.revisionId),
      revisions.get(right.revisionId),
    ]);
    const [leftPayload, rightPayload] = await payloads.read([left, right]);
    const [leftNodes, rightNodes] = await Promise.all([nodes.of(context, left), nodes.of(context, right)]);
    const differing = await this.#differingNodes([left, right], {
      graphs: [leftRevision.graph, rightRevision.graph],
      left: new Map(leftNodes.map(node => [node.nodeId, node])),
      right: new Map(rightNodes.map(node => [node.nodeId, node])),
    });
    return {
      left,
      right,
      sameGraph: left.revisionId === right.revisionId || isDeepStrictEqual(leftRevision.data, rightRevision.data),
      inputs: inputDiffs(
        left.isExpired ? {} : (leftPayload?.input ?? {}),
        right.isExpired ? {} : (rightPayload?.input ?? {}),
      ),
      first: differing[0] ?? null,
      nodes: differing,
      leftOutput: left.isExpired ? null : (leftPayload?.result?.output ?? null),
      rightOutput: right.isExpired ? null : (rightPayload?.result?.output ?? null),
      leftCost: runs.cost(left),
      rightCost: runs.cost(right),
    };
  }

  async #differingNodes(
    [leftRun, rightRun]: [WorkflowRun, WorkflowRun],
    { graphs, left, right }: ComparedRuns,
  ): Promise<WorkflowRunNodeDiff[]> {
    const rows = await queryBuilder<BillingTables>(this.parts.database)
      .selectFrom('billing_transaction')
      .select(({ fn }) => ['run_id as runId', 'node_id as nodeId', fn.sum<string>('amount_usd').as('amount')])
      .where('run_id', 'in', [leftRun.id, rightRun.id])
      .groupBy(['run_id', 'node_id'])
      .execute();
    const costs = new Map(rows.map(row => [`${row.runId} ${row.nodeId}`, row.amount]));
    const costOf = (run: WorkflowRun, node: string) => this.parts.currencies.of(costs.get(`${run.id} ${node}`) ?? '0');
    const labels = labelsOf(graphs);
    const ids = new Set([...labels.keys(), ...left.keys(), ...right.keys()]);
    return [...ids]
      .filter(id => !hasSameOutcome(left.get(id), right.get(id)))
      .map(id => ({
        nodeId: id,
        label: labels.get(id) ?? '',
        left: left.get(id) ?? null,
        right: right.get(id) ?? null,
        leftCost: costOf(leftRun, id),
        rightCost: costOf(rightRun, id),
      }));
  }
}

interface ComparedRuns {
  graphs: readonly (Graph | GraphError)[];
  left: ReadonlyMap<string, WorkflowRunNode>;
  right: ReadonlyMap<string, WorkflowRunNode>;
}

/** Returns node labels by id in graph order. Labels of the first graph take precedence. */
function labelsOf(graphs: ComparedRuns['graphs']): Map<string, string> {
  const labels = new Map<string, string>();
  for (const graph of graphs) {
    if (graph instanceof GraphError) continue;
    for (const { id, label } of graph.order) if (!labels.has(id)) labels.set(id, label);
  }
  return labels;
}

function hasSameOutcome(left: WorkflowRunNode | undefined, right: WorkflowRunNode | undefined): boolean {
  return (
    left?.status === right?.status && left?.content === right?.content && isDeepStrictEqual(left?.error, right?.error)
  );
}

function inputDiffs(left: Record<string, unknown>, right: Record<string, unknown>): WorkflowRunInputDiff[] {
  const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return fields
    .map(field => ({ field, left: ownMember(left, field), right: ownMember(right, field) }))
    .filter(each => !isDeepStrictEqual(each.left, each.right));
}

function ownMember(input: Record<string, unknown>, field: string): unknown {
  return Object.hasOwn(input, field) ? input[field] : null;
}
