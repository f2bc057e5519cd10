import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ApprovalDetails } from '../../../engine/workflow/graph/approvals/approval.js';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';

export enum AgentApprovalStatus {
  PENDING = 'pending',
  APPROVED = 'approved',
  REJECTED = 'rejected',
  EXPIRED = 'expired',
}
registerEnumType(AgentApprovalStatus, {
  name: 'AgentApprovalStatus',
  description: 'Status of an approval request.',
  valuesConfig: {
    PENDING: { description: 'Waiting for a decision.' },
    APPROVED: { description: 'Approved by a user.' },
    REJECTED: { description: 'Rejected by a user.' },
    EXPIRED: { description: 'Not decided in time, or the run ended first. For an agent it counts as rejected.' },
  },
});

export enum AgentApprovalKind {
  START = 'start',
  TOOL = 'tool',
  DECISION = 'decision',
}
registerEnumType(AgentApprovalKind, {
  name: 'AgentApprovalKind',
  description: 'The action for which a node requests approval.',
  valuesConfig: {
    START: { description: 'To start the agent.' },
    TOOL: { description: 'One tool call of an agent.' },
    DECISION: { description: 'The question of an approval node.' },
  },
});

export enum AgentDecision {
  APPROVED = 'approved',
  REJECTED = 'rejected',
}
registerEnumType(AgentDecision, {
  name: 'AgentDecision',
  description: 'A decision on an approval request.',
  valuesConfig: {
    APPROVED: { description: 'The node may proceed.' },
    REJECTED: { description: 'The node may not proceed.' },
  },
});

export enum AgentApprovalDeciders {
  MEMBERS = 'members',
  OWNERS = 'owners',
  USERS = 'users',
}
registerEnumType(AgentApprovalDeciders, {
  name: 'AgentApprovalDeciders',
  description: 'Who may decide a question of an approval node.',
  valuesConfig: {
    MEMBERS: { description: 'Every member with the role editor or a stronger one.' },
    OWNERS: { description: 'The owner of the project.' },
    USERS: { description: 'The listed users.' },
  },
});

@ObjectType({ description: 'The decision of one person about an approval request.' })
export class AgentApprovalVote {
  userId!: number;

  @Field(() => AgentDecision, { description: 'The decision.' })
  decision!: `${AgentDecision}`;

  @Field(() => String, { nullable: true, description: 'Comment of the person. Null without a comment.' })
  comment!: string | null;

  /** ISO 8601. */
  decidedAt!: string;
}

/** The row of an approval request. */
@ObjectType({
  description:
    'Request of an agent to start or to call a tool, or question of an approval node. The node waits for the decision.',
})
export class AgentApproval {
  @Field(() => UUID, { description: 'Unique id of the request.' })
  requestId!: string;

  @Field(() => UUID, { description: 'Id of the waiting run.' })
  runId!: string;

  @Field(() => String, { description: 'Id of the node in the graph.' })
  nodeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Iteration of the loop that contains the node, from 0, for example `3`. Null outside loops.',
  })
  iteration!: string | null;

  @Field(() => AgentApprovalKind, { description: 'Kind of the request.' })
  kind!: `${AgentApprovalKind}`;

  @Field(() => String, { nullable: true, description: 'Name of the tool. Null for other requests.' })
  tool!: string | null;

  /** Payload. Absent when the query did not load it. */
  arguments?: unknown;
  editedArguments?: unknown;
  details?: ApprovalDetails | null;

  @Field(() => AgentApprovalStatus, { description: 'Current status.' })
  status!: AgentApprovalStatus;

  @Field(() => DateTime, { description: 'Time of the request.' })
  requestedAt!: Date;

  @Field(() => DateTime, {
    description:
      'End of the decision period. Afterwards the request of an agent counts as rejected, and the question of an approval node as expired.',
  })
  expiresAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time of the decision. Null when no user has decided.' })
  decidedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Comment of the person who decided. Null without a comment.' })
  comment!: string | null;

  @Field(() => [AgentApprovalVote], {
    description:
      'Decisions of people in order. At most 40: an approval node may require several, other requests are decided by the first.',
  })
  votes!: readonly AgentApprovalVote[];

  projectId!: number;
  decidedById!: number | null;
  deciderName!: string | null;
  deciderEmail!: string | null;
}

@ObjectType({ description: 'The person who decided an approval request.' })
export class AgentApprovalDecider {
  @Field(() => Int, { description: 'Id of the user.' })
  userId!: number;

  @Field(() => String, { description: 'Display name of the user. Empty if unset.' })
  name!: string;

  @Field(() => String, { description: 'Email of the user, in lower case.' })
  email!: string;
}

@ObjectType({ description: 'A question of an approval node and the people who decide it.' })
export class AgentApprovalQuestion {
  @Field(() => String, { description: 'The question, at most 200 characters.' })
  title!: string;

  @Field(() => String, { description: 'What people should know to decide, at most 20,000 characters. Empty if unset.' })
  message!: string;

  @Field(() => AgentApprovalDeciders, { description: 'Who may decide.' })
  deciders!: `${AgentApprovalDeciders}`;

  @Field(() => [Int], {
    description: 'Ids of the users who may decide. At most 100. Empty unless `deciders` is `USERS`.',
  })
  userIds!: readonly number[];

  @Field(() => Int, { description: 'Number of approvals after which the request is approved, 1-20.' })
  requiredApprovalCount!: number;

  @Field(() => Int, { description: 'Number of rejections after which the request is rejected, 1-20.' })
  requiredRejectionCount!: number;
}

@ObjectType({ description: 'A message with which an agent would start.' })
export class AgentApprovalMessage {
  @Field(() => String, { description: 'Role of the message, for example `user`.' })
  role!: string;

  @Field(() => String, { description: 'Text of the message. All messages are cut at 64 KB together, with a note.' })
  content!: string;
}

@ObjectType({ description: 'A tool that an agent could call after its start.' })
export class AgentApprovalTool {
  @Field(() => String, { description: 'Name of the tool, or the host of an MCP server.' })
  name!: string;

  @Field(() => String, {
    description: 'Description of the tool. For an MCP server: the allowed tools. Empty if there is none.',
  })
  description!: string;
}

@ObjectType({ description: 'The start of an agent that waits for approval.' })
export class AgentApprovalStart {
  @Field(() => String, { description: 'Name of the model.' })
  model!: string;

  @Field(() => [AgentApprovalMessage], { description: 'Messages for the model, in order. At most 1,000.' })
  messages!: readonly AgentApprovalMessage[];

  @Field(() => [AgentApprovalTool], { description: 'Tools of the agent. At most 64.' })
  tools!: readonly AgentApprovalTool[];
}

export enum AgentApprovalOrder {
  REQUESTED_AT_ASC = 'asc',
  REQUESTED_AT_DESC = 'desc',
}
registerEnumType(AgentApprovalOrder, {
  name: 'AgentApprovalOrder',
  description: 'Order of approval requests.',
  valuesConfig: {
    REQUESTED_AT_ASC: { description: 'Oldest request first.' },
    REQUESTED_AT_DESC: { description: 'Newest request first.' },
  },
});

@ObjectType({ description: 'One page of requests for approval.' })
export class AgentApprovalPage extends pageOf(AgentApproval) {}

@ObjectType({ description: 'A recorded decision.' })
export class AgentApprovalDecision {
  @Field(() => UUID, { description: 'Id of the run.' })
  runId!: string;

  @Field(() => UUID, { description: 'Id of the request.' })
  requestId!: string;

  @Field(() => AgentDecision, { description: 'The decision.' })
  decision!: `${AgentDecision}`;
}

@ObjectType({ description: 'Response to a decision.' })
export class AgentApprovalReceipt {
  @Field(() => Int, { description: 'Inner status: 200, the decision is recorded.' })
  status!: number;

  @Field(() => AgentApprovalDecision, { description: 'The recorded decision.' })
  data!: AgentApprovalDecision;
}
