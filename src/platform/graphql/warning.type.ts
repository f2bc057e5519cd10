import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A fault of the input that did not prevent the mutation.' })
export class Warning {
  @Field(() => String, { description: 'Machine-readable kind of the fault, for example `unknown_member`.' })
  code!: string;

  @Field(() => String, {
    description:
      'Describes the unexpected member and, if known, the member that was probably meant. Contains no secret values.',
  })
  message!: string;

  @Field(() => [String], {
    description: 'Names of the members from the input to the faulty one. Empty for the whole input. At most 64.',
  })
  path!: string[];
}
