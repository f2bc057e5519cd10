import { Field, ObjectType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../platform/json/scalars.js';
import { RunCost } from '../billing/run-cost.type.js';

@ObjectType({ description: 'A run that the author publishes as an example.' })
export class MarketplaceExample {
  @Field(() => UUID, { description: 'The id of the run.' })
  id!: string;

  @Field(() => DateTime, { description: 'When the run was accepted.' })
  createdAt!: Date;

  @Field(() => RunCost, { description: 'The cost of the run.' })
  cost!: RunCost;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'The result: `{data, output}` with entries by node id. Secrets are masked. Null in a list if it is longer than 256 KiB; query the example by id to read it.',
  })
  result!: unknown;

  @Field(() => Boolean, {
    description:
      'Whether the list omits the payloads of this example because the page would exceed its size limit, or only its result because that is longer than 256 KiB. Query the example by id to read them.',
  })
  isShortened!: boolean;

  @Field(() => JSONValue, { description: 'The input of the run. Secret fields are masked.' })
  inputData!: unknown;

  @Field(() => JSONValue, { description: 'The graph of the run. Secret defaults and credentials are masked.' })
  data!: unknown;
}
