import { Arg, Args, Ctx, FieldResolver, Float, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { KeyedStarts } from '../../accounts/api-keys/keyed-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { RunCost } from '../../billing/run-cost.type.js';
import { Workflow } from '../../workflows/workflow.js';
import { WorkflowInputField } from '../../workflows/workflow-input-field.type.js';
import { WorkflowRunFilter } from '../history/run-filter.inputs.js';
import type { RunLists } from '../history/run-lists.js';
import {
  WorkflowRunDelivery,
  WorkflowRunOrder,
  WorkflowRunPage,
  WorkflowRunReceipt,
} from '../history/workflow-run.inputs.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { WorkflowRunNode } from '../history/workflow-run-node.type.js';
import type { RunNodes } from '../journal/run-nodes.js';
import { type RunPayloads, resultView } from '../journal/run-payloads.js';

const INPUT = 'Values by field id. `********` for a secret field keeps the stored value. Unknown members are kept.';
const INPUT_TEXT = 'Plain text in place of `input`: the value of the first declared input field.';
export const IDEMPOTENCY_KEY =
  '1-255 printable ASCII characters. The same key and arguments within 24 hours: the first receipt again, and no second run. CONFLICT while the first is under way, BAD_USER_INPUT when the key came with other arguments.';

@Resolver(() => WorkflowRun)
export class WorkflowRunResolver {
  constructor(
    private readonly runs: WorkflowRunService,
    private readonly payloads: RunPayloads,
    private readonly keyed: KeyedStarts,
    private readonly nodes: RunNodes,
    private readonly lists: RunLists,
  ) {}

  @Query(() => WorkflowRunPage, { name: 'workflowRuns', description: 'The runs of a workflow, or those of a project.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, { nullable: true, description: 'The workflow. Absent: `filter.project` is needed.' })
    workflowId: number | null | undefined,
    @Arg('filter', () => WorkflowRunFilter, { nullable: true, description: 'Which runs.' })
    filter: WorkflowRunFilter | null,
    @Arg('order', () => WorkflowRunOrder, {
      defaultValue: WorkflowRunOrder.CREATED_AT_DESC,
      description: 'Default: newest first. The orders by cost are for the runs of one workflow.',
    })
    order: WorkflowRunOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.lists.list(viewer, workflowId ?? null, { filter, order }, page);
  }

  @Query(() => WorkflowRun, { name: 'workflowRun', description: 'One run. NOT_FOUND when it is not the caller’s.' })
  get(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('workflowId', () => Int, { nullable: true, description: 'When given, the run must be one of this workflow.' })
    workflowId: number | null,
  ) {
    return this.runs.get(viewer, id, workflowId);
  }

  @Query(() => WorkflowRunDelivery, {
    name: 'workflowRunResult',
    description: 'What the execution service has of a run. A status that says it ended never comes without the result.',
  })
  result(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('nodeId', () => String, {
      nullable: true,
      description: 'When given, `data` holds the entry of this node alone, or none where the node has none.',
    })
    nodeId: string | null | undefined,
  ) {
    return this.runs.deliver(viewer, id, nodeId);
  }

  @Mutation(() => WorkflowRunReceipt, {
    name: 'workflowRunStart',
    description:
      'Runs a workflow. A graph or input that fails validation is answered with the inner status 400 or 422, one past the spending limit of the project with 402; they are recorded as failed runs. Needs the role editor.',
  })
  start(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'The workflow.' }) workflowId: number,
    @Arg('input', () => JSONValue, { nullable: true, description: `${INPUT} Default: \`{}\`.` }) input: unknown,
    @Arg('inputText', () => String, { nullable: true, description: INPUT_TEXT }) inputText: string | undefined,
    @Arg('draft', () => Boolean, { defaultValue: false, description: 'Record the run without starting it.' })
    draft: boolean,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const given = { input, inputText, draft };
    return this.keyed.once(context, key, ['workflowRunStart', { workflowId, ...given }], reservedId =>
      this.runs.start(context.viewer, workflowId, { ...given, reservedId }),
    );
  }

  @Mutation(() => WorkflowRunReceipt, {
    name: 'workflowRunRestart',
    description:
      'Runs again what a run ran: the same revision of the graph, with new input or, left out, with the original one. Needs the role editor.',
  })
  restart(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'The workflow of the run.' }) workflowId: number,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('input', () => JSONValue, { nullable: true, description: `${INPUT} Left out: the original input.` })
    input: unknown,
    @Arg('inputText', () => String, { nullable: true, description: INPUT_TEXT }) inputText: string | undefined,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const given = { input, inputText };
    return this.keyed.once(context, key, ['workflowRunRestart', { workflowId, id, ...given }], reservedId =>
      this.runs.restart(context.viewer, workflowId, id, { ...given, reservedId }),
    );
  }

  @Mutation(() => WorkflowRunReceipt, {
    name: 'workflowRunRelease',
    description: 'Starts a draft. CONFLICT when the run is none (any more). Needs the role editor.',
  })
  release(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, { description: 'The draft.' }) id: string) {
    return this.runs.release(viewer, id);
  }

  @Mutation(() => WorkflowRun, {
    name: 'workflowRunCancel',
    description:
      'Ends a run: calls in flight are aborted and only what was used is charged. Harmless on a run that has ended. Needs the role editor.',
  })
  cancel(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'When given, the run must be one of this workflow.',
    })
    workflowId: number | null,
  ) {
    return this.runs.cancel(viewer, id, workflowId);
  }

  @Mutation(() => WorkflowRun, {
    name: 'workflowRunApiRunSet',
    description:
      'Marks a run as its workflow’s API run, or takes the mark away. At most one run has it: marking one clears the previous one. Needs the role editor.',
  })
  setApiRun(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, { description: 'The workflow of the run.' }) workflowId: number,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('isApiRun', () => Boolean, { description: 'Whether it is the API run.' }) isApiRun: boolean,
  ) {
    return this.runs.setApiRun(viewer, workflowId, id, isApiRun);
  }

  @FieldResolver(() => String, {
    description: 'The stored status: `In Progress` (queued and running), `Succeeded`, `Cancelled`, `Error` or `Draft`.',
  })
  status(@Root() run: WorkflowRun) {
    return this.runs.storedStatus(run);
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow; null for a graph that was not stored, or once it is archived.',
  })
  workflow(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.runs.workflowOf(context, run);
  }

  @FieldResolver(() => RunCost, { description: 'What the run has cost so far.' })
  cost(@Root() run: WorkflowRun) {
    return this.runs.cost(run);
  }

  @FieldResolver(() => Float, { nullable: true, description: 'Seconds from start to end; null if it never finished.' })
  duration(@Root() { runStartedAt, runFinishedAt }: WorkflowRun) {
    return runStartedAt && runFinishedAt ? (runFinishedAt.getTime() - runStartedAt.getTime()) / 1000 : null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return !(await this.payloads.isWhole(context, run));
  }

  @FieldResolver(() => JSONValue, {
    description: 'The input the run started with, secret fields masked; `{}` once it has expired.',
  })
  async inputData(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return run.expired ? {} : ((await this.payloads.of(context, run))?.input ?? {});
  }

  @FieldResolver(() => JSONValue, {
    name: 'result',
    nullable: true,
    description:
      'The result: `{data, output}` with entries by node id; null until the run ends and once it has expired.',
  })
  async resultOf(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    const result = run.expired ? null : (await this.payloads.of(context, run))?.result;
    return result ? resultView(result) : null;
  }

  @FieldResolver(() => [WorkflowRunNode], {
    name: 'nodes',
    description:
      'The nodes that have begun, in that order, with what their models used, no more than its graph has; skipped ones are left out. Also while the run is under way; empty once its result has expired.',
  })
  nodesOf(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.nodes.of(context, run);
  }

  @FieldResolver(() => JSONValue, {
    description: 'The graph the run used, secret defaults masked; `{}` where it is shortened.',
  })
  async data(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return (await this.payloads.isWhole(context, run)) ? (await this.runs.revisionOf(context, run)).data : {};
  }

  @FieldResolver(() => [WorkflowInputField], {
    description: 'The input fields of the graph the run used, no more than that declares.',
  })
  async inputFields(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return (await this.payloads.isWhole(context, run)) ? (await this.runs.revisionOf(context, run)).inputFields : [];
  }
}

@Resolver(() => WorkflowRunReceipt)
export class WorkflowRunReceiptResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @FieldResolver(() => WorkflowRun, { description: 'The run’s record.' })
  run(@Ctx() { viewer }: RequestContext, @Root() receipt: WorkflowRunReceipt) {
    return this.runs.get(viewer, receipt.runId);
  }
}
