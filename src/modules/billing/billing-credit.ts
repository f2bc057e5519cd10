import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({
  description:
    'A commission that a project earned: its side of the row `commission` on the ledger of whoever ran the copy.',
})
export class BillingCredit {
  @Field(() => UUID, { description: 'The run that paid. It is not the author’s to read.' })
  runId!: string;

  @Field(() => Int, { nullable: true, description: 'The workflow that was copied.' })
  workflowId!: number | null;

  @Field(() => Money, { description: 'What was credited, in each available currency.' })
  amount!: Money;

  @Field(() => DateTime, { description: 'When it was written.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of commissions.' })
export class BillingCreditPage extends pageOf(BillingCredit) {}
