import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { Money } from '../../platform/money/money.type.js';
import { ModelUsage } from './model-usage.type.js';

@ObjectType({
  description: 'One row of the ledger: what one execution of a node, or a chat completion, was charged, zero included.',
})
export class BillingTransaction {
  @Field(() => UUID, { description: 'Unique.' })
  id!: string;

  @Field(() => String, {
    description: 'Transaction type: the type of the node, for example `basic-node`; `chat-completion` for one.',
  })
  operation!: string;

  @Field(() => String, {
    description: '`Success`, or `Error` for a node that failed or a completion that was cut short.',
  })
  status!: string;

  @Field(() => Money, { description: 'What was charged, in each available currency.' })
  amount!: Money;

  @Field(() => String, {
    description: 'Why the amount is what it is, where that needs saying: an unknown price is marked here.',
  })
  reason!: string;

  @Field(() => String, { description: 'Label of the node; of a chat completion `provider/model`.' })
  description!: string;

  @Field(() => UUID, { description: 'The run; a chat completion has an id of its own here.' })
  runId!: string;

  @Field(() => String, { description: 'The node’s id in the graph; empty for a chat completion.' })
  nodeId!: string;

  @Field(() => Int, { nullable: true, description: 'The charged user; null once that user is gone.' })
  userId!: number | null;

  @Field(() => ModelUsage, {
    nullable: true,
    description: 'What the models that the node asked have used, over all its tries; null when it asked none.',
  })
  usage!: ModelUsage | null;

  @Field(() => DateTime, { description: 'When it was written.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'Which transactions to list. All that is given must hold.' })
export class BillingFilter extends TimeFilter {
  @Field(() => String, { nullable: true, description: 'What was charged: a type of node, or `chat-completion`.' })
  operation?: string | null;

  @Field(() => String, { nullable: true, description: '`Success` or `Error`.' })
  status?: string | null;
}

@ObjectType({ description: 'One page of billing transactions.' })
export class BillingTransactionPage extends pageOf(BillingTransaction) {}
