import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import type { ListPayloads } from '../../../platform/lists/list-payloads.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { AgentApprovalService } from './agent-approval.service.js';
import { AgentApproval, AgentApprovalPage, AgentApprovalReceipt } from './agent-approval.type.js';

const DECISION =
  'Repeating the same decision has no effect. CONFLICT for the opposite decision, for an expired request, and for a run that has ended. NOT_FOUND for an unknown run or request. Requires the role editor.';

@Resolver(() => AgentApproval)
export class AgentApprovalResolver {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly runs: WorkflowRunService,
    private readonly payloads: ListPayloads<Required<Pick<AgentApproval, 'arguments'>>>,
  ) {}

  @Query(() => AgentApprovalPage, {
    name: 'agentApprovals',
    description: 'Pending approval requests of the agents of a project, oldest first. Requires the role viewer.',
  })
  pending(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('runId', () => UUID, { nullable: true, description: 'Only requests of this run. Default: of all runs.' })
    runId: string | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.approvals.pending(viewer, projectId, runId ?? null, page);
  }

  @Mutation(() => AgentApprovalReceipt, {
    name: 'agentApprovalApprove',
    description: `Approves the request, and the agent continues. ${DECISION}`,
  })
  approve(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'Id of the waiting run.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'Id of the request.' }) requestId: string,
  ) {
    return this.approvals.decide(viewer, runId, requestId, 'approved');
  }

  @Mutation(() => AgentApprovalReceipt, {
    name: 'agentApprovalReject',
    description: `Rejects the request. The agent continues without the tool call, or fails if it was asking to start. ${DECISION}`,
  })
  reject(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'Id of the waiting run.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'Id of the request.' }) requestId: string,
  ) {
    return this.approvals.decide(viewer, runId, requestId, 'rejected');
  }

  @Subscription(() => AgentApproval, {
    name: 'agentApprovalRequested',
    description:
      'Streams the approval requests of a project: first all pending requests, then each new request once. NOT_FOUND when the project does not exist or is not visible to the caller. Requires the role viewer.',
    topics: 'agentApprovalRequested',
    topicId: ({ args, context }) => ({ args, context }),
  })
  requested(
    @Root() request: AgentApproval,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) _projectId: number,
  ): AgentApproval {
    return request;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits `arguments` because the page reached its size limit. A page with one request always contains them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return !(await this.payloads.isWhole(context, request));
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description: 'Arguments of the tool call; secrets are masked. Null when `isShortened` is true.',
  })
  async arguments(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.payloads.of(context, request))?.arguments ?? null;
  }

  @FieldResolver(() => WorkflowRun, { description: 'The waiting run.' })
  run(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return this.runs.load(context, request.runId);
  }
}
