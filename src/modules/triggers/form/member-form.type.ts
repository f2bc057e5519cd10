import { Field, InputType, ObjectType } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'A form that members of the project submit.' })
export class MemberForm {
  @Field(() => String, { description: 'Title of the form.' })
  title!: string;

  @Field(() => String, { description: 'Text above the fields, at most 2,000 characters.' })
  description!: string;

  @Field(() => String, { description: 'Label of the button, 1-60 characters.' })
  submitLabel!: string;

  @Field(() => [JSONValue], {
    description:
      'Input fields of the workflow that the form asks for, at most as many as its trigger node has and in its format, without the defaults of secret fields.',
  })
  fields!: unknown[];
}

@InputType({ description: 'A submission of a form.' })
export class MemberFormSubmission {
  @Field(() => UUID, {
    description: 'Id of the submission, chosen by the client. A repeated submission starts no second run.',
  })
  submissionId!: string;

  @Field(() => JSONValue, { description: 'Values by field id. Other members are ignored.' })
  input!: unknown;
}

@ObjectType({ description: 'The answer to a submission.' })
export class MemberFormAnswer {
  @Field(() => UUID, { description: 'Id of the run. It belongs to the user of the trigger.' })
  runId!: string;

  @Field(() => String, { description: 'Text after the submission.' })
  thanks!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The reply or the output of the run. Null: the form does not show it, or it is not ready.',
  })
  result!: unknown;

  @Field(() => Boolean, {
    description: 'Whether the run failed within the wait, or replied with a status of 500 or more. Otherwise false.',
  })
  hasFailed!: boolean;
}
