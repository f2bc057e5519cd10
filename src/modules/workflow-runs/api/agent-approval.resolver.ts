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
  'The same decision again changes nothing. CONFLICT for the opposite one, for a request that has expired and for a run that has ended; NOT_FOUND for an unknown run or request. Needs the role editor.';

@Resolver(() => AgentApproval)
export class AgentApprovalResolver {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly runs: WorkflowRunService,
    private readonly payloads: ListPayloads<Required<Pick<AgentApproval, 'arguments'>>>,
  ) {}

  @Query(() => AgentApprovalPage, {
    name: 'agentApprovals',
    description: 'What agents of a project wait for a decision on, oldest first.',
  })
  pending(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('runId', () => UUID, { nullable: true, description: 'Only of this run.' }) runId: string | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.approvals.pending(viewer, projectId, runId ?? null, page);
  }

  @Mutation(() => AgentApprovalReceipt, {
    name: 'agentApprovalApprove',
    description: `Lets the agent go on. ${DECISION}`,
  })
  approve(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'The run that waits.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'The request.' }) requestId: string,
  ) {
    return this.approvals.decide(viewer, runId, requestId, 'approved');
  }

  @Mutation(() => AgentApprovalReceipt, {
    name: 'agentApprovalReject',
    description: `Tells the agent no: it goes on without the call, or fails when it asked to begin. ${DECISION}`,
  })
  reject(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'The run that waits.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'The request.' }) requestId: string,
  ) {
    return this.approvals.decide(viewer, runId, requestId, 'rejected');
  }

  @Subscription(() => AgentApproval, {
    name: 'agentApprovalRequested',
    description:
      'Requests of a project’s agents, live: first those that are pending, then each new one once, whichever process executes its run. NOT_FOUND when the project is not the caller’s.',
    topics: 'agentApprovalRequested',
    topicId: ({ args, context }) => ({ args, context }),
  })
  requested(
    @Root() request: AgentApproval,
    @Arg('projectId', () => Int, { description: 'The project.' }) _projectId: number,
  ): AgentApproval {
    return request;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the page left out its arguments because they do not fit with those of the requests before it; a page of one request has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return !(await this.payloads.isWhole(context, request));
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description: 'What the tool would be called with, secrets masked. Null where they are shortened.',
  })
  async arguments(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.payloads.of(context, request))?.arguments ?? null;
  }

  @FieldResolver(() => WorkflowRun, { description: 'The run’s record.' })
  run(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return this.runs.load(context, request.runId);
  }
}
