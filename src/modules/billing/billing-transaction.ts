import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { connectionOf, edgeOf } from '../../platform/lists/connection.type.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { Money } from '../../platform/money/money.type.js';
import { ModelUsage } from './model-usage.type.js';

export enum BillingStatus {
  SUCCEEDED = 'Success',
  FAILED = 'Error',
}
registerEnumType(BillingStatus, {
  name: 'BillingStatus',
  description: 'Outcome of a charged operation.',
  valuesConfig: {
    SUCCEEDED: { description: 'The operation succeeded.' },
    FAILED: { description: 'The node failed, or the completion was interrupted.' },
  },
});

@ObjectType({
  description:
    'One row of the ledger: the charge for one execution of a node or one chat completion. The charge may be zero.',
})
export class BillingTransaction {
  @Field(() => UUID, { description: 'The id of the transaction. Unique.' })
  id!: string;

  @Field(() => String, {
    description:
      'The charged operation: the type of the node, for example `basic-node`, or `chat-completion` for every call of a model API.',
  })
  operation!: string;

  @Field(() => BillingStatus, { description: 'Outcome of the operation.' })
  status!: `${BillingStatus}`;

  @Field(() => Money, { description: 'The charged amount, in each available currency.' })
  amount!: Money;

  @Field(() => String, {
    description: 'An explanation of the amount, for example that the price of the model is unknown. Usually empty.',
  })
  reason!: string;

  @Field(() => String, { description: 'The label of the node, or `provider/model` of a chat completion.' })
  description!: string;

  @Field(() => UUID, { description: 'The id of the run. For a chat completion: the id of the completion.' })
  runId!: string;

  @Field(() => String, { description: 'The id of the node in the graph. Empty for a chat completion.' })
  nodeId!: string;

  @Field(() => Int, { nullable: true, description: 'The id of the charged user. Null if the user no longer exists.' })
  userId!: number | null;

  @Field(() => ModelUsage, {
    nullable: true,
    description: 'The model usage of the node over all its attempts. Null if the node called no model.',
  })
  usage!: ModelUsage | null;

  @Field(() => DateTime, { description: 'When the transaction was written.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    description: 'When the transaction last changed. Equal to `createdAt`, because transactions never change.',
  })
  updatedAt!: Date;
}

@InputType({ description: 'Filters transactions. All given conditions must match.' })
export class BillingFilter extends TimeFilter {
  @Field(() => String, {
    nullable: true,
    description: 'The charged operation: a node type such as `basic-node`, or `chat-completion`.',
  })
  operation?: string | null;

  @Field(() => BillingStatus, { nullable: true, description: 'Outcome of the operation.' })
  status?: BillingStatus | null;
}

@ObjectType({ description: 'One page of billing transactions.' })
export class BillingTransactionPage extends pageOf(BillingTransaction) {}

@ObjectType({ description: 'A billing transaction with its cursor.' })
export class BillingTransactionEdge extends edgeOf(BillingTransaction) {}

@ObjectType({ description: 'Some billing transactions, selected by cursors.' })
export class BillingTransactionConnection extends connectionOf(BillingTransaction, BillingTransactionEdge) {}
