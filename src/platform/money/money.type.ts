import { Field, ObjectType } from 'type-graphql';
import { Decimal } from '../json/scalars.js';
import type { Money as Amounts } from './money.js';

@ObjectType({ description: 'An amount of money, in each available currency.' })
export class Money implements Amounts {
  @Field(() => Decimal, { description: 'The amount in US dollars.' })
  usd!: string;

  @Field(() => Decimal, {
    description: 'The amount in SR, the internal currency. `SR_PER_USD` sets the exchange rate.',
  })
  sr!: string;
}
