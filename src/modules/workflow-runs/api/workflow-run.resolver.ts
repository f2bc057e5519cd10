import { Arg, Args, Ctx, FieldResolver, Float, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { ConnectionArguments } from '../../../platform/lists/connection.args.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { RunCost } from '../../billing/run-cost.type.js';
import { toGraph } from '../../workflows/graph/workflow-graph.js';
import { WorkflowGraph } from '../../workflows/graph/workflow-graph.type.js';
import type { RevisionService } from '../../workflows/revisions/revision.service.js';
import { SavedRevision } from '../../workflows/revisions/workflow-revision.type.js';
import { Workflow } from '../../workflows/workflow.js';
import { WorkflowInputField } from '../../workflows/workflow-input-field.type.js';
import { WorkflowRunFilter } from '../history/run-filter.inputs.js';
import type { RunForkService } from '../history/run-fork.service.js';
import type { RunLists } from '../history/run-lists.js';
import { RUN_START } from '../history/run-start.payload.js';
import { checkWait, type RunWaiter } from '../history/run-waiter.js';
import {
  WorkflowRunConnection,
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
import { choiceOf, REUSE_RESULTS, REVISION, REVISION_NUMBER, WorkflowRunRevision } from '../replay/run-revision.js';
import type { RunTagService } from '../tags/run-tag.service.js';
import { TAGS } from '../tags/run-tag-names.js';
import { PARTS, WorkflowRunInputPart } from './input-part.type.js';
import type { RunParts } from './run-parts.js';
import { ENVIRONMENT, INPUT, INPUT_TEXT, RUNNABLE_REVISION, startOnce } from './run-start.js';

const WAIT =
  'Waits up to this many seconds, 0-60, for the end of the run; `receipt.data` then has its status and result. Default: the seconds of the header `Prefer: wait=n`, else 0.';

@Resolver(() => WorkflowRun)
export class WorkflowRunResolver {
  constructor(
    private readonly runs: WorkflowRunService,
    private readonly payloads: RunPayloads,
    private readonly idempotentStarts: IdempotentStarts,
    private readonly nodes: RunNodes,
    private readonly lists: RunLists,
    private readonly waiter: RunWaiter,
    private readonly savedRevisions: RevisionService,
    private readonly forks: RunForkService,
    private readonly tags: RunTagService,
    private readonly parts: RunParts,
  ) {}

  @Query(() => WorkflowRunPage, {
    name: 'workflowRuns',
    description: 'Runs of a workflow or of a project. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of the workflow. Required unless `filter.projectId` is given.',
    })
    workflowId: number | null | undefined,
    @Arg('filter', () => WorkflowRunFilter, { nullable: true, description: 'Filter for runs.' })
    filter: WorkflowRunFilter | null,
    @Arg('order', () => WorkflowRunOrder, {
      defaultValue: WorkflowRunOrder.CREATED_AT_DESC,
      description: 'Order of the runs. Default: newest first. Ordering by cost requires `workflowId`.',
    })
    order: WorkflowRunOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.lists.list(viewer, workflowId ?? null, { filter, order }, page);
  }

  @Query(() => WorkflowRunConnection, {
    name: 'workflowRunsConnection',
    description: 'The runs of `workflowRuns`, selected by cursors instead of pages. Requires the role viewer.',
  })
  connection(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of the workflow. Required unless `filter.projectId` is given.',
    })
    workflowId: number | null | undefined,
    @Arg('filter', () => WorkflowRunFilter, { nullable: true, description: 'Filter for runs.' })
    filter: WorkflowRunFilter | null,
    @Arg('order', () => WorkflowRunOrder, {
      defaultValue: WorkflowRunOrder.CREATED_AT_DESC,
      description:
        'Order of the runs. Default: newest first. Ordering by cost requires `workflowId`. A cursor is valid for one order.',
    })
    order: WorkflowRunOrder,
    @Args(() => ConnectionArguments) args: ConnectionArguments,
  ) {
    return this.lists.connection(viewer, workflowId ?? null, { filter, order }, args);
  }

  @Query(() => WorkflowRun, {
    name: 'workflowRun',
    description:
      'Returns one run. NOT_FOUND when it does not exist or is not visible to the caller. Requires the role viewer.',
  })
  get(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of a workflow. If given, the run must belong to it, otherwise NOT_FOUND.',
    })
    workflowId: number | null,
  ) {
    return this.runs.get(viewer, id, workflowId);
  }

  @Query(() => WorkflowRunDelivery, {
    name: 'workflowRunResult',
    description:
      'Returns the current status and result of a run. A final status always comes with the result. Requires the role viewer.',
  })
  result(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('nodeId', () => String, {
      nullable: true,
      description: 'Reduces `data` to the entry of this node. Empty when the node has no entry.',
    })
    nodeId: string | null | undefined,
  ) {
    return this.runs.getResult(viewer, id, nodeId);
  }

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunStart',
    description:
      'Runs a workflow. The inner status is 400 or 422 for an invalid graph or input, and 402 when the spending limit of the project is reached. Such refused runs are recorded as failed. Requires the role editor.',
  })
  async start(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'Id of the workflow.' }) workflowId: number,
    @Arg('input', () => JSONValue, { nullable: true, description: `${INPUT} Default: \`{}\`.` }) input: unknown,
    @Arg('inputText', () => String, { nullable: true, description: INPUT_TEXT }) inputText: string | undefined,
    @Arg('draft', () => Boolean, {
      defaultValue: false,
      description: 'Whether to record the run without starting it. Start it later with `workflowRunRelease`.',
    })
    draft: boolean,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
    @Arg('waitSeconds', () => Int, { nullable: true, description: WAIT }) waitSeconds: number | null | undefined,
    @Arg('revisionNumber', () => Int, { nullable: true, description: RUNNABLE_REVISION })
    revisionNumber: number | null | undefined,
    @Arg('tags', () => [String], { nullable: true, description: `${TAGS} Default: none.` })
    tags: string[] | null | undefined,
    @Arg('environment', () => String, { nullable: true, description: ENVIRONMENT })
    environment: string | null | undefined,
    @Arg('parts', () => [WorkflowRunInputPart], { nullable: true, description: PARTS })
    parts: WorkflowRunInputPart[] | null | undefined,
  ) {
    const seconds = checkWait(waitSeconds ?? context.waitSeconds);
    if (tags) this.tags.check(tags);
    const { runs, idempotentStarts } = this;
    const start = { workflowId, input, inputText, draft, revisionNumber, environment };
    const receipt = await (parts
      ? this.parts.start(context, key, start, parts)
      : startOnce({ runs, idempotentStarts }, context, key, start));
    // Set again by a repeated call, in case the process died between the start and the tags.
    if (tags) await this.tags.set(context.viewer, receipt.runId, tags);
    return draft ? receipt : this.waiter.waitForResult(context, receipt, seconds);
  }

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunRestart',
    description:
      'Starts a new run with the graph revision of an earlier run or another one, with a new or the original input. Requires the role editor.',
  })
  async restart(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'Id of the workflow of the run.' }) workflowId: number,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('input', () => JSONValue, { nullable: true, description: `${INPUT} Default: the original input.` })
    input: unknown,
    @Arg('inputText', () => String, { nullable: true, description: INPUT_TEXT }) inputText: string | undefined,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
    @Arg('waitSeconds', () => Int, { nullable: true, description: WAIT }) waitSeconds: number | null | undefined,
    @Arg('revisionNumber', () => Int, { nullable: true, description: REVISION_NUMBER })
    revisionNumber: number | null | undefined,
    @Arg('revision', () => WorkflowRunRevision, { nullable: true, description: REVISION })
    revision: WorkflowRunRevision | null | undefined,
    @Arg('reuseResults', () => Boolean, { defaultValue: false, description: REUSE_RESULTS })
    reusesResults: boolean,
  ) {
    const seconds = checkWait(waitSeconds ?? context.waitSeconds);
    const args = { input, inputText, ...choiceOf(revision, revisionNumber) };
    const receipt = await this.idempotentStarts.once(
      context,
      key,
      ['workflowRunRestart', { workflowId, id, ...args, ...(reusesResults ? { reusesResults } : {}) }],
      reservedId =>
        reusesResults
          ? this.forks.fork(context.viewer, id, { ...args, workflowId, reservedId })
          : this.runs.restart(context.viewer, workflowId, id, { ...args, reservedId }),
    );
    return this.waiter.waitForResult(context, receipt, seconds);
  }

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunRelease',
    description: 'Starts a draft. CONFLICT when the run is not a draft. Requires the role editor.',
  })
  release(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, { description: 'Id of the draft.' }) id: string) {
    return this.runs.release(viewer, id);
  }

  @PayloadMutation({
    returns: { workflowRun: () => WorkflowRun },
    name: 'workflowRunCancel',
    description:
      'Cancels a run. Calls in progress are aborted, and only actual usage is charged. No effect on a run that has ended. Requires the role editor.',
  })
  cancel(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of a workflow. If given, the run must belong to it, otherwise NOT_FOUND.',
    })
    workflowId: number | null,
  ) {
    return this.runs.cancel(viewer, id, workflowId);
  }

  @PayloadMutation({
    returns: { workflowRun: () => WorkflowRun },
    name: 'workflowRunApiRunSet',
    description:
      'Sets whether a run is the API run of its workflow. A workflow has at most one: a new API run replaces the previous one. Requires the role editor.',
  })
  setApiRun(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, { description: 'Id of the workflow of the run.' }) workflowId: number,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('isApiRun', () => Boolean, { description: 'Whether the run is the API run.' }) isApiRun: boolean,
  ) {
    return this.runs.setApiRun(viewer, workflowId, id, isApiRun);
  }

  @FieldResolver(() => SavedRevision, {
    nullable: true,
    description: 'The revision that the run uses. Null for a run of a graph, or when the workflow was deleted.',
  })
  revision(@Ctx() context: RequestContext, @Root() { workflowId, revisionId }: WorkflowRun) {
    return workflowId === null ? null : this.savedRevisions.load(context, revisionId);
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'Workflow of the run. Null for a graph without a stored workflow, and when the workflow is archived.',
  })
  workflow(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.runs.workflowOf(context, run);
  }

  @FieldResolver(() => RunCost, { description: 'Cost of the run so far.' })
  cost(@Root() run: WorkflowRun) {
    return this.runs.cost(run);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'Seconds from start to end, 0 for a run that ended without a start. Null for a run that has not ended.',
  })
  duration(@Root() { runStartedAt, runFinishedAt }: WorkflowRun) {
    if (!runFinishedAt) return null;
    return runStartedAt ? (runFinishedAt.getTime() - runStartedAt.getTime()) / 1000 : 0;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits the input, result and graph of this run because the page reached its size limit. Query the run by its id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return !(await this.payloads.isWhole(context, run));
  }

  @FieldResolver(() => JSONValue, {
    description: 'Input of the run; secret fields are masked. `{}` when it has expired or `isShortened` is true.',
  })
  async inputData(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return run.isExpired ? {} : ((await this.payloads.of(context, run))?.input ?? {});
  }

  @FieldResolver(() => JSONValue, {
    name: 'result',
    nullable: true,
    description:
      'Result as `{data, output}`, with entries by node id in `data`. Null until the run ends, when it has expired, and when `isShortened` is true.',
  })
  async resultOf(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    const result = run.isExpired ? null : (await this.payloads.of(context, run))?.result;
    return result ? resultView(result) : null;
  }

  @FieldResolver(() => [WorkflowRunNode], {
    name: 'nodes',
    description:
      'Started nodes in the order of their start, with their model usage. Skipped nodes are omitted. Available while the run is in progress; empty when the result has expired. Not paginated. No more than the graph has.',
  })
  nodesOf(
    @Ctx() context: RequestContext,
    @Root() run: WorkflowRun,
    @Arg('nodeId', () => String, { nullable: true, description: 'Only this node. Default: all nodes.' })
    nodeId: string | null,
    @Arg('iteration', () => String, {
      nullable: true,
      description:
        'The nodes inside this iteration of a loop, for example `3` or `3.0`, as long as the events of the run exist. Default: the nodes outside loops.',
    })
    iteration: string | null,
  ) {
    return this.nodes.of(context, run, { nodeId: nodeId ?? null, iteration: iteration ?? null });
  }

  @FieldResolver(() => JSONValue, {
    description: 'Graph of the run; secret defaults are masked. `{}` when `isShortened` is true.',
  })
  async data(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return (await this.payloads.isWhole(context, run)) ? (await this.runs.revisionOf(context, run)).data : {};
  }

  @FieldResolver(() => WorkflowGraph, {
    nullable: true,
    description: 'Graph of the run with typed nodes and edges, masked like `data`. Null when `isShortened` is true.',
  })
  async graph(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return (await this.payloads.isWhole(context, run))
      ? toGraph((await this.runs.revisionOf(context, run)).data)
      : null;
  }

  @FieldResolver(() => [WorkflowInputField], {
    description: 'Input fields of the graph of the run. Not paginated. No more than the trigger declares.',
  })
  async inputFields(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return (await this.payloads.isWhole(context, run)) ? (await this.runs.revisionOf(context, run)).inputFields : [];
  }
}

@Resolver(() => WorkflowRunReceipt)
export class WorkflowRunReceiptResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @FieldResolver(() => WorkflowRun, { description: 'The run.' })
  run(@Ctx() { viewer }: RequestContext, @Root() receipt: WorkflowRunReceipt) {
    return this.runs.get(viewer, receipt.runId);
  }
}
