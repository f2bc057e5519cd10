import { Field, InputType, Int } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import { TriggerFormAccess } from '../form/form-trigger.type.js';

@InputType({ description: 'A page with a conversation. All members are optional.' })
export class TriggerChatInput {
  @Field(() => String, {
    nullable: true,
    description: 'Title of the page, at most 255 characters. Default: the name of the trigger.',
  })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'First text of the conversation, at most 2,000 characters.' })
  greeting?: string | null;

  @Field(() => TriggerFormAccess, {
    nullable: true,
    description: 'The people who can send messages. Default: PUBLIC.',
  })
  access?: TriggerFormAccess | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Origins of the pages that may show a public chat in a frame, for example `https://example.com`; at most 20. Default: none.',
  })
  allowedOrigins?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Answered messages that a run gets as history, 0-50. Default: 20.',
  })
  historyMessages?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum wait of a request for its answer in seconds, 1-60. Default: 60.',
  })
  waitSeconds?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the page shows the labels of the nodes that start while it waits. Default: false.',
  })
  showsSteps?: boolean | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Input of the run as JSON object with placeholders, see `TriggerChat.mapping`. Default: all members.',
  })
  mapping?: unknown;
}
