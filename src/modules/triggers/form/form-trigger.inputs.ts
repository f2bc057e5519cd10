import { Field, InputType, Int } from 'type-graphql';
import { TriggerFormAccess } from './form-trigger.type.js';

@InputType({
  description: 'A page with the input fields of the workflow. A submission starts a run.',
})
export class TriggerFormInput {
  @Field(() => String, {
    nullable: true,
    description: 'Title of the page, at most 255 characters. Default: the name of the trigger.',
  })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Text above the fields, at most 2,000 characters.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Label of the button, 1-60 characters. Default: `Submit`.' })
  submitLabel?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Text after the submission, 1-2,000 characters. Default: `Thank you.`',
  })
  thanks?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the page shows the reply of the first `respond-node`, else the output of the run. Default: false.',
  })
  showsResult?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Maximum wait for the result in seconds, 1-60. Default: 30.' })
  waitSeconds?: number | null;

  @Field(() => TriggerFormAccess, {
    nullable: true,
    description: 'The people who can submit the form. Default: PUBLIC.',
  })
  access?: TriggerFormAccess | null;
}
