import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A choice of a select field.' })
export class WorkflowInputFieldOption {
  @Field(() => String, { description: 'Label.' })
  title!: string;

  @Field(() => String, { description: 'What the run gets when it is chosen.' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether it is chosen at first.' })
  isDefault!: boolean;
}

@ObjectType({ description: 'A field that the trigger of a workflow asks for.' })
export class WorkflowInputField {
  @Field(() => String, { description: 'Key in the input data.' })
  id!: string;

  @Field(() => String, { description: 'Label.' })
  title!: string;

  @Field(() => String, { description: 'For example `text`, `select`, `number`.' })
  type!: string;

  @Field(() => Boolean, { description: 'Whether a run must give it.' })
  inputRequirements!: boolean;

  @Field(() => String, { description: 'Hint inside the empty field.' })
  placeholder!: string;

  @Field(() => String, { description: 'Longer hint.' })
  tooltip!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Taken when a run gives no value; `********` for a secret field.',
  })
  defaultValue!: string | null;

  @Field(() => Boolean, { description: 'Whether the value is a credential: it is then never returned.' })
  isSecret!: boolean;

  @Field(() => [WorkflowInputFieldOption], {
    description: 'The choices of a select field, no more than the graph declares; empty otherwise.',
  })
  options!: WorkflowInputFieldOption[];
}
