import { Field, InputType, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A value that replaces a named value of a variable in one scenario run.' })
export class InsertedVariable {
  @Field(() => Int, { name: 'localId', description: 'Id, unique within the run.' })
  id!: number;

  @Field(() => Int, { name: 'variableId', description: 'Id of the variable: of the original or of the run’s copy.' })
  variable!: number;

  @Field(() => Int, { name: 'variableNameId', description: 'Id of the named value of the variable.' })
  variableName!: number;

  @Field(() => String, {
    description: 'The value that placeholders and loops use instead, at most 100,000 characters.',
  })
  value!: string;
}

@InputType({ description: 'A value that replaces a named value of a variable in one scenario run.' })
export class InsertedVariableInput {
  @Field(() => Int, { nullable: true, description: 'Id, unique within the run, 1 or more. Default: a new id.' })
  id?: number | null;

  @Field(() => Int, { description: 'Id of the variable: of the original or of the run’s copy.' })
  variableId!: number;

  @Field(() => Int, { description: 'Id of the named value of the variable.' })
  variableNameId!: number;

  @Field(() => String, {
    description: 'The value that placeholders and loops use instead, at most 100,000 characters.',
  })
  value!: string;
}

@InputType({ description: 'A change of one inserted variable. Omitted fields stay unchanged.' })
export class InsertedVariableChange {
  @Field(() => Int, { description: 'Id of the inserted variable.' })
  id!: number;

  @Field(() => String, { description: 'The new value, at most 100,000 characters.' })
  value!: string;

  @Field(() => Int, { nullable: true, description: 'Id of another variable to replace a value of.' })
  variableId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of another named value to replace.' })
  variableNameId?: number | null;
}
