import { ArgsType, Field, Int } from 'type-graphql';

@ArgsType()
export class PageArguments {
  @Field(() => Int, { defaultValue: 1, description: 'The page, from 1. One past the end is empty.' })
  page!: number;

  @Field(() => Int, { defaultValue: 10, description: 'Items a page, 0-100.' })
  size!: number;
}
