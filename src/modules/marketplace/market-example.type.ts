import { Field, ObjectType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../platform/json/scalars.js';
import { RunCost } from '../billing/run-cost.type.js';

@ObjectType({ description: 'A run that the author shows as an example.' })
export class MarketplaceExample {
  @Field(() => UUID, { description: 'The run.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was accepted.' })
  createdAt!: Date;

  @Field(() => RunCost, { description: 'What it cost.' })
  cost!: RunCost;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'The result: `{data, output}` with entries by node id, secrets masked. In the list null where it is longer than 256 KiB: the example itself has it.',
  })
  result!: unknown;

  @Field(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  isShortened!: boolean;

  @Field(() => JSONValue, { description: 'The input it started with, secret fields masked.' })
  inputData!: unknown;

  @Field(() => JSONValue, { description: 'The graph it used, secret defaults and written-in credentials masked.' })
  data!: unknown;
}
