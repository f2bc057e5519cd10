import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { ConditionInput } from '../prompts/condition.type.js';
import { Message, MessageReturnType } from './message.js';

@InputType({ description: 'How a message is sent.' })
export abstract class MessageSettings {
  @Field(() => String, {
    nullable: true,
    description:
      'Name of a model provider, at most 64 letters, digits, `_`, `.` and `-`. Default: chosen by the name of the model.',
  })
  provider?: string | null;

  @Field(() => MessageReturnType, { nullable: true, description: 'What becomes of the answer. Default: TEXT.' })
  returnType?: MessageReturnType | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'An object: `model_name` text, `temperature` 0-2, `max_tokens` 1 or more, `top_p` 0-1, and whatever the provider takes besides; at most 20,000 characters of JSON.',
  })
  parameters?: unknown;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is sent again and again. Default: false.' })
  isLoop?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'How often a loop sends it, 1-1000. Default: 1.' })
  loopCount?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'A variable of the project: a loop sends the message once for each active value of it.',
  })
  loopVariable?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the next message starts before this one is answered. Default: false.',
  })
  isAsync?: boolean | null;

  @Field(() => [Int], { nullable: true, description: 'Ids of prompts of the project, at most 100.' })
  prompts?: number[] | null;

  @Field(() => [ConditionInput], { nullable: true, description: 'When it is left out or ends the run; at most 100.' })
  conditions?: ConditionInput[] | null;
}

@InputType({ description: 'A new message.' })
export class MessageCreateInput extends MessageSettings {
  @Field(() => Int, { description: 'The owning project.' })
  project!: number;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  key!: string;
}

@InputType({ description: 'Changes to a message; what is left out stays, and null is what a new message has.' })
export class MessageUpdateInput extends MessageSettings {
  @Field(() => String, { nullable: true, description: 'Unique within the project, 1-255 characters.' })
  key?: string;
}

@InputType({ description: 'Which messages to list.' })
export class MessageFilter extends KeyedPartFilter {}

@ObjectType({ description: 'One page of messages.' })
export class MessagePage extends pageOf(Message) {}
