import { ArgsType, Field, Int } from 'type-graphql';

@ArgsType()
export class PageArguments {
  @Field(() => Int, { defaultValue: 1, description: 'The page number, from 1. A page past the end is empty.' })
  page!: number;

  @Field(() => Int, { defaultValue: 10, description: 'The number of items per page, 0-100.' })
  size!: number;
}
