import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({
  description:
    'A commission that a project earned. The project that ran the copy has a ledger row `commission` with the same amount.',
})
export class BillingCredit {
  @Field(() => UUID, { description: 'The id of the run that paid the commission. The author cannot read the run.' })
  runId!: string;

  @Field(() => Int, {
    nullable: true,
    description: "The id of the author's workflow. Null if it no longer exists.",
  })
  workflowId!: number | null;

  @Field(() => Money, { description: 'The credited amount, in each available currency.' })
  amount!: Money;

  @Field(() => DateTime, { description: 'When the commission was credited.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of commissions.' })
export class BillingCreditPage extends pageOf(BillingCredit) {}
