import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
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
    EXPIRED: { description: 'Not decided in time, or the run ended first. Counts as rejected.' },
  },
});

/** The row of an approval request. */
@ObjectType({ description: 'Request of an agent to start or to call a tool. The agent waits for the decision.' })
export class AgentApproval {
  @Field(() => UUID, { description: 'Unique id of the request.' })
  requestId!: string;

  @Field(() => UUID, { description: 'Id of the waiting run.' })
  runId!: string;

  @Field(() => String, { description: 'Id of the agent node in the graph.' })
  nodeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Iteration of the loop that contains the agent, from 0, for example `3`. Null outside loops.',
  })
  iteration!: string | null;

  @Field(() => String, { description: 'Kind of the request: `start` to start the agent, `tool` for one tool call.' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'Name of the tool. Null for a request to start.' })
  tool!: string | null;

  /** Absent when the query did not load the arguments. */
  arguments?: unknown;

  @Field(() => AgentApprovalStatus, { description: 'Current status.' })
  status!: AgentApprovalStatus;

  @Field(() => DateTime, { description: 'Time of the request.' })
  requestedAt!: Date;

  @Field(() => DateTime, { description: 'End of the decision period. Afterwards the request counts as rejected.' })
  expiresAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time of the decision. Null when no user has decided.' })
  decidedAt!: Date | null;
}

@ObjectType({ description: 'One page of requests for approval.' })
export class AgentApprovalPage extends pageOf(AgentApproval) {}

@ObjectType({ description: 'A recorded decision.' })
export class AgentApprovalDecision {
  @Field(() => UUID, { description: 'Id of the run.' })
  id!: string;

  @Field(() => UUID, { description: 'Id of the request.' })
  requestId!: string;

  @Field(() => String, { description: 'Decision: `approved` or `rejected`.' })
  decision!: string;
}

@ObjectType({ description: 'Response to a decision.' })
export class AgentApprovalReceipt {
  @Field(() => Int, { description: 'Inner status: 200, the decision is recorded.' })
  status!: number;

  @Field(() => AgentApprovalDecision, { description: 'The recorded decision.' })
  data!: AgentApprovalDecision;
}
