import { Field, Float, ObjectType } from 'type-graphql';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({ description: 'The cost of an execution as numbers. `cost` minus `commission` is the AI execution cost.' })
export class ExternalCost {
  @Field(() => Float, { description: 'The total charge for the execution in US dollars, including the commission.' })
  cost!: number;

  @Field(() => Float, {
    description: 'The marketplace commission in US dollars. 0 if no marketplace workflow was used.',
  })
  commission!: number;
}

@ObjectType({
  description:
    'The cost of a run, in each available currency. Every amount is the total charge, including the commission.',
})
export class RunCost extends Money {
  @Field(() => ExternalCost, { description: 'The total charge and the commission in US dollars, as numbers.' })
  externalCostUsd!: ExternalCost;
}

export function runCost(currencies: Currencies, costUsd: string, commissionUsd: string): RunCost {
  return {
    ...currencies.of(costUsd),
    externalCostUsd: { cost: Number(costUsd), commission: Number(commissionUsd) },
  };
}
