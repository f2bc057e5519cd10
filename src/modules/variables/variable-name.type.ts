import { Field, InputType, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One named value of a variable.' })
export class VariableName {
  @Field(() => Int, { description: 'Unique within the variable; placeholders name the value by it.' })
  id!: number;

  @Field(() => String, { description: '1-255 characters.' })
  name!: string;

  @Field(() => String, { description: 'At most 100,000 characters.' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether loops and counted placeholders see the value.' })
  isActive!: boolean;
}

@InputType({ description: 'One named value of a variable, as it is to be.' })
export class VariableNameInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'The value it is, 1 or more. Absent: the stored one of the same name, otherwise a new one that is given an id.',
  })
  id?: number | null;

  @Field(() => String, { nullable: true, description: '1-255 characters. Needed where `id` names no stored value.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'At most 100,000 characters. Absent: as stored, else empty.' })
  value?: string;

  @Field(() => Boolean, { nullable: true, description: 'Absent: as stored, else true.' })
  isActive?: boolean | null;
}
