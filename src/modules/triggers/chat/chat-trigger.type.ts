import { Field, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import { TriggerFormAccess } from '../form/form-trigger.type.js';

@ObjectType({ description: 'A page with a conversation. Each message starts a run, whose text is the answer.' })
export class TriggerChat {
  @Field(() => String, { description: 'Title of the page, at most 255 characters. Empty: the name of the trigger.' })
  title!: string;

  @Field(() => String, { description: 'First text of the conversation, at most 2,000 characters.' })
  greeting!: string;

  @Field(() => TriggerFormAccess, { description: 'The people who can send messages.' })
  access!: TriggerFormAccess;

  @Field(() => [String], {
    description:
      'Origins of the pages that may show a public chat in a frame, for example `https://example.com`; at most 20. Empty: none.',
  })
  allowedOrigins!: string[];

  @Field(() => Int, { description: 'Answered messages that a run gets as history, 0-50. Default: 20.' })
  historyMessages!: number;

  @Field(() => Int, { description: 'Maximum wait of a request for its answer in seconds, 1-60. Default: 60.' })
  waitSeconds!: number;

  @Field(() => Boolean, {
    description: 'Whether the page shows the labels of the nodes that start while it waits. Default: false.',
  })
  showsSteps!: boolean;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Input of the run as JSON with placeholders `{{ input.message }}`, `{{ input.conversation_id }}` and `{{ input.history }}`. Any members are permitted, because input fields belong to the workflow. Null: the input has these members; `history` is a list of `{role, content}`, at most 32,000 characters.',
  })
  mapping!: unknown;
}
