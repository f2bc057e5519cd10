import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An option of a select field.' })
export class WorkflowInputFieldOption {
  @Field(() => String, { description: 'Label of the option.' })
  title!: string;

  @Field(() => String, { description: 'Input value of the run when the option is selected.' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether the option is selected initially.' })
  isDefault!: boolean;
}

@ObjectType({ description: 'An input field of the trigger of a workflow.' })
export class WorkflowInputField {
  @Field(() => String, { name: 'key', description: 'Member name in the input of a run.' })
  id!: string;

  @Field(() => String, { description: 'Label of the field.' })
  title!: string;

  @Field(() => String, {
    description:
      'Type of the field, for example `text`, `select` or `number`. The set is open: an unknown type accepts any value.',
  })
  type!: string;

  @Field(() => Boolean, { description: 'Whether the input of a run must contain the field.' })
  inputRequirements!: boolean;

  @Field(() => String, { description: 'Placeholder text of the empty field.' })
  placeholder!: string;

  @Field(() => String, { description: 'Tooltip of the field.' })
  tooltip!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Value when the input of a run omits the field; `********` for a secret field; null without a default.',
  })
  defaultValue!: string | null;

  @Field(() => Boolean, { description: 'Whether the value is a credential, which is never returned.' })
  isSecret!: boolean;

  @Field(() => [WorkflowInputFieldOption], {
    description: 'Options of a select field; empty for other fields. No more than the field declares.',
  })
  options!: WorkflowInputFieldOption[];
}
