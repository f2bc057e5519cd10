import { Field, InputType, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One named value of a variable.' })
export class VariableName {
  @Field(() => Int, {
    name: 'localId',
    description: 'Id, unique within the variable. Placeholders refer to the value by this id.',
  })
  id!: number;

  @Field(() => String, { description: 'Name of the value, 1-255 characters.' })
  name!: string;

  @Field(() => String, { description: 'The value, at most 100,000 characters.' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether loops and placeholders that select by number include the value.' })
  isActive!: boolean;
}

@InputType({ description: 'A named value to add or change.' })
export class VariableNameInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a stored value, 1 or more. Default: the stored value with the same name, otherwise a new value with a new id.',
  })
  id?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the value, 1-255 characters. Required if `id` does not refer to a stored value.',
  })
  name?: string;

  @Field(() => String, {
    nullable: true,
    description: 'The value, at most 100,000 characters. Default: the stored value, otherwise empty.',
  })
  value?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether loops and placeholders that select by number include the value. Default: as stored, otherwise true.',
  })
  isActive?: boolean | null;
}
