import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';

export enum TriggerFormAccess {
  PUBLIC = 'public',
  MEMBERS = 'members',
}
registerEnumType(TriggerFormAccess, {
  name: 'TriggerFormAccess',
  description: 'The people who can submit a form or send messages to a chat.',
  valuesConfig: {
    PUBLIC: { description: 'Every person with its address.' },
    MEMBERS: { description: 'Members of the project, who sign in.' },
  },
});

@ObjectType({
  description: 'A page with the input fields of the workflow. A submission starts a run.',
})
export class TriggerForm {
  @Field(() => String, { description: 'Title of the page, at most 255 characters. Empty: the name of the trigger.' })
  title!: string;

  @Field(() => String, { description: 'Text above the fields, at most 2,000 characters.' })
  description!: string;

  @Field(() => String, { description: 'Label of the button, 1-60 characters. Default: `Submit`.' })
  submitLabel!: string;

  @Field(() => String, { description: 'Text after the submission, 1-2,000 characters.' })
  thanks!: string;

  @Field(() => Boolean, {
    description: 'Whether the page shows the reply of the first `respond-node`, else the output of the run.',
  })
  showsResult!: boolean;

  @Field(() => Int, { description: 'Maximum wait for the result in seconds, 1-60. Default: 30.' })
  waitSeconds!: number;

  @Field(() => TriggerFormAccess, { description: 'The people who can submit the form.' })
  access!: TriggerFormAccess;
}
