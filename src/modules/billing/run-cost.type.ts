import { Field, Float, ObjectType } from 'type-graphql';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({ description: 'What an execution cost on the outside. Cost minus commission is the AI execution cost.' })
export class ExternalCost {
  @Field(() => Float, { description: 'Total charged for the execution, in US dollars, commission included.' })
  cost!: number;

  @Field(() => Float, {
    description: 'Marketplace fee, in US dollars, when a marketplace workflow was used; otherwise 0.',
  })
  commission!: number;
}

@ObjectType({
  description: 'What a run cost, in each available currency. Every amount is the total charged, commission included.',
})
export class RunCost extends Money {
  @Field(() => ExternalCost, { description: 'The same total as numbers, with the commission apart.' })
  externalCostUsd!: ExternalCost;
}

export function runCost(currencies: Currencies, costUsd: string, commissionUsd: string): RunCost {
  return {
    ...currencies.of(costUsd),
    externalCostUsd: { cost: Number(costUsd), commission: Number(commissionUsd) },
  };
}
