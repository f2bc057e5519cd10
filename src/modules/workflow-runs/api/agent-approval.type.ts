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
  description: 'What has become of a request.',
  valuesConfig: {
    PENDING: { description: 'Waits for a decision.' },
    APPROVED: { description: 'Somebody approved it.' },
    REJECTED: { description: 'Somebody rejected it.' },
    EXPIRED: { description: 'Nobody decided in time, or the run ended before: the same as a rejection.' },
  },
});

/** A request of an agent, as its row holds it. */
@ObjectType({ description: 'A request of an agent to begin, or to call a tool. The agent waits for the decision.' })
export class AgentApproval {
  @Field(() => UUID, { description: 'Unique.' })
  requestId!: string;

  @Field(() => UUID, { description: 'The run that waits.' })
  runId!: string;

  @Field(() => String, { description: 'The agent’s node in the graph.' })
  nodeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Of an agent in a loop’s body: the index of its round; null outside of loops.',
  })
  iteration!: string | null;

  @Field(() => String, { description: '`start`: whether the agent may begin; `tool`: one call of a tool.' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'The tool; null when the agent asks to begin.' })
  tool!: string | null;

  /** Absent where the statement that read the request left them out. */
  arguments?: unknown;

  @Field(() => AgentApprovalStatus, { description: 'What has become of it.' })
  status!: AgentApprovalStatus;

  @Field(() => DateTime, { description: 'When the agent asked.' })
  requestedAt!: Date;

  @Field(() => DateTime, { description: 'Until when it may be decided; afterwards it counts as rejected.' })
  expiresAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was decided; null: not, or not by a person.' })
  decidedAt!: Date | null;
}

@ObjectType({ description: 'One page of requests for approval.' })
export class AgentApprovalPage extends pageOf(AgentApproval) {}

@ObjectType({ description: 'A decision as it was taken in.' })
export class AgentApprovalDecision {
  @Field(() => UUID, { description: 'The run.' })
  id!: string;

  @Field(() => UUID, { description: 'The request.' })
  requestId!: string;

  @Field(() => String, { description: '`approved` or `rejected`.' })
  decision!: string;
}

@ObjectType({ description: 'The executor’s answer to a decision.' })
export class AgentApprovalReceipt {
  @Field(() => Int, { description: '200: the decision stands.' })
  status!: number;

  @Field(() => AgentApprovalDecision, { description: 'The decision.' })
  data!: AgentApprovalDecision;
}
