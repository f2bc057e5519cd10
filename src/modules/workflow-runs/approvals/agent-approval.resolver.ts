import DataLoader from 'dataloader';
import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { ApprovalDetails } from '../../../engine/workflow/graph/approvals/approval.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { streamRequest } from '../../../platform/graphql/stream-request.js';
import { DateTime, JSONValue, UUID } from '../../../platform/json/scalars.js';
import type { ListPayloads } from '../../../platform/lists/list-payloads.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Workflow } from '../../workflows/workflow.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { type AgentApprovalService, MAX_COMMENT_CHARACTERS } from './agent-approval.service.js';
import {
  AgentApproval,
  AgentApprovalDecider,
  AgentApprovalOrder,
  AgentApprovalPage,
  AgentApprovalQuestion,
  AgentApprovalReceipt,
  AgentApprovalStart,
  AgentApprovalStatus,
  AgentApprovalVote,
} from './agent-approval.type.js';

const DECISION =
  'Repeating the same decision has no effect. CONFLICT for another decision, for an expired request, and for a run that has ended. NOT_FOUND for an unknown run or request. FORBIDDEN for a question that other people decide. Requires the role editor.';

const COMMENT = {
  nullable: true,
  description: `Comment of at most ${MAX_COMMENT_CHARACTERS.toLocaleString('en')} characters, which the model receives with a rejection or changed arguments, and which is part of the content of an approval node. Default: none.`,
};

/** The large members of a request. */
export type ApprovalPayload = Required<Pick<AgentApproval, 'arguments' | 'editedArguments' | 'details'>>;

@Resolver(() => AgentApproval)
export class AgentApprovalResolver {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly runs: WorkflowRunService,
    private readonly payloads: ListPayloads<ApprovalPayload>,
  ) {}

  @Query(() => AgentApprovalPage, {
    name: 'agentApprovals',
    description: 'Approval requests of the agents and approval nodes of a project. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('runId', () => UUID, { nullable: true, description: 'Only requests of this run. Default: of all runs.' })
    runId: string | null,
    @Arg('statuses', () => [AgentApprovalStatus], {
      defaultValue: [AgentApprovalStatus.PENDING],
      description: 'Only requests in one of these states. Default: pending requests.',
    })
    statuses: AgentApprovalStatus[],
    @Arg('order', () => AgentApprovalOrder, {
      defaultValue: AgentApprovalOrder.REQUESTED_AT_ASC,
      description: 'Order of the requests. Default: oldest first.',
    })
    order: AgentApprovalOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.approvals.list(viewer, projectId, { runId: runId ?? null, statuses, order }, page);
  }

  @PayloadMutation({
    returns: { receipt: () => AgentApprovalReceipt },
    name: 'agentApprovalApprove',
    description: `Approves the request, and the node continues, or waits for further approvals that it needs. ${DECISION}`,
  })
  approve(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'Id of the waiting run.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'Id of the request.' }) requestId: string,
    @Arg('comment', () => String, COMMENT) comment: string | null,
    @Arg('editedArguments', () => JSONValue, {
      nullable: true,
      description:
        'Arguments with which the tool is called instead of those requested, or the values of the form of an approval node: an object of at most 262,144 characters as JSON. It is checked against `argumentsSchema`; BAD_USER_INPUT names the path of a fault. A masked secret stays as it is if its text is unchanged and it is clear which item of a list it belongs to. Only for the kinds TOOL and DECISION. Default: the requested arguments, or the last values of the form.',
    })
    editedArguments: unknown,
  ) {
    const input = { decision: 'approved', comment: comment ?? null, editedArguments: editedArguments ?? null } as const;
    return this.approvals.decide(viewer, runId, requestId, input);
  }

  @PayloadMutation({
    returns: { receipt: () => AgentApprovalReceipt },
    name: 'agentApprovalReject',
    description: `Rejects the request. An agent continues without the tool call, or fails if it was asking to start; an approval node follows its output \`rejected\`. ${DECISION}`,
  })
  reject(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'Id of the waiting run.' }) runId: string,
    @Arg('requestId', () => UUID, { description: 'Id of the request.' }) requestId: string,
    @Arg('comment', () => String, COMMENT) comment: string | null,
  ) {
    const input = { decision: 'rejected', comment: comment ?? null, editedArguments: null } as const;
    return this.approvals.decide(viewer, runId, requestId, input);
  }

  @Subscription(() => AgentApproval, {
    name: 'agentApprovalRequested',
    description:
      'Streams the approval requests of a project: first all pending requests, then each new request once. NOT_FOUND when the project does not exist or is not visible to the caller. Requires the role viewer.',
    topics: 'agentApprovalRequested',
    topicId: streamRequest,
  })
  requested(
    @Root() request: AgentApproval,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) _projectId: number,
  ): AgentApproval {
    return request;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits `arguments`, `editedArguments`, `argumentsSchema`, `description`, `start`, `question` and `workflow`, because the page reached its size limit. A page with one request always contains them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return !(await this.payloads.isWhole(context, request));
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'Arguments of the tool call, or first values of the form of an approval node; secrets are masked. Null when `isShortened` is true.',
  })
  async arguments(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.payloads.of(context, request))?.arguments ?? null;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'Arguments with which the tool was called instead of those requested, or the values that people filled in. Null when a person did not change them, or when `isShortened` is true.',
  })
  async editedArguments(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.payloads.of(context, request))?.editedArguments ?? null;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'JSON Schema of the arguments, for a form that edits them. Null when they cannot be edited, or when `isShortened` is true.',
  })
  async argumentsSchema(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.#detailsOf(context, request)).schema ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Description of the tool. Null for other requests, or when `isShortened` is true.',
  })
  async description(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.#detailsOf(context, request)).description ?? null;
  }

  @FieldResolver(() => AgentApprovalStart, {
    nullable: true,
    description:
      'The start that waits for approval; secrets are masked. Null for other requests, or when `isShortened` is true.',
  })
  async start(@Ctx() context: RequestContext, @Root() request: AgentApproval): Promise<AgentApprovalStart | null> {
    const { model, messages = [], tools = [] } = await this.#detailsOf(context, request);
    return model === undefined ? null : { model, messages, tools };
  }

  @FieldResolver(() => AgentApprovalQuestion, {
    nullable: true,
    description:
      'The question of an approval node; secrets are masked. Null for other requests, or when `isShortened` is true.',
  })
  async question(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return (await this.#detailsOf(context, request)).question ?? null;
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow that the tool call starts. Null for other requests, or when the workflow is archived.',
  })
  async workflow(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    const { workflowId } = await this.#detailsOf(context, request);
    if (workflowId === undefined) return null;
    return this.runs.workflowOf(context, { workflowId });
  }

  @FieldResolver(() => AgentApprovalDecider, {
    nullable: true,
    description: 'The person who decided. Null when no user has decided, or when the user is deleted.',
  })
  decidedBy(@Root() { decidedById, deciderName, deciderEmail }: AgentApproval): AgentApprovalDecider | null {
    return decidedById === null ? null : { userId: decidedById, name: deciderName ?? '', email: deciderEmail ?? '' };
  }

  @FieldResolver(() => WorkflowRun, { description: 'The waiting run.' })
  run(@Ctx() context: RequestContext, @Root() request: AgentApproval) {
    return this.runs.load(context, request.runId);
  }

  async #detailsOf(context: RequestContext, request: AgentApproval): Promise<ApprovalDetails> {
    return (await this.payloads.of(context, request))?.details ?? {};
  }
}

@Resolver(() => AgentApprovalVote)
export class AgentApprovalVoteResolver {
  constructor(private readonly approvals: AgentApprovalService) {}

  @FieldResolver(() => DateTime, { description: 'Time of the decision.' })
  decidedAt(@Root() { decidedAt }: AgentApprovalVote): Date {
    return new Date(decidedAt);
  }

  @FieldResolver(() => AgentApprovalDecider, {
    nullable: true,
    description: 'The person who decided. Null when the user is deleted.',
  })
  decidedBy(
    @Ctx() context: RequestContext,
    @Root() { userId }: AgentApprovalVote,
  ): Promise<AgentApprovalDecider | null> {
    const loader = context.loader(
      'approval.people',
      () =>
        new DataLoader<number, AgentApprovalDecider | null>(async ids => {
          const people = await this.approvals.people(ids);
          return ids.map(id => people.get(id) ?? null);
        }),
    ) as DataLoader<number, AgentApprovalDecider | null>;
    return loader.load(userId);
  }
}
