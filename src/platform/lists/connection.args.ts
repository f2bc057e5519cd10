import { ArgsType, Field, Int } from 'type-graphql';

const CURSOR = 'From `edges.cursor` or `pageInfo` of the same list.';

@ArgsType()
export class ConnectionArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of items from the start of the list, or behind `after`: 1-100. Not together with `last`. Default: 10 without `last`.',
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Returns only items behind the item with this cursor. ${CURSOR} Default: from the start of the list.`,
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of items from the end of the list, or before the cursor `before`: 1-100. Not together with `first`.',
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Returns only items before the item with this cursor. ${CURSOR} Default: to the end of the list.`,
  })
  before?: string | null;
}
