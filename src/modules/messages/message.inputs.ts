import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { ConditionInput } from '../prompts/condition.type.js';
import { Message, MessageReturnType } from './message.js';

@InputType({ description: 'Settings for sending a message.' })
export abstract class MessageSettings {
  @Field(() => String, {
    nullable: true,
    description:
      'Name of a model provider, such as `openai`, of a third-party service: `http`, `graphql` or `mcp`, or `workflow` for a workflow of the project. At most 64 letters, digits, `_`, `.` and `-`. Default: the provider that serves `model_name`.',
  })
  provider?: string | null;

  @Field(() => MessageReturnType, {
    nullable: true,
    description: 'How the response of the model is used. Default: TEXT.',
  })
  returnType?: MessageReturnType | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'A JSON object of at most 20,000 characters, such as `{"model_name": "gpt-4o", "temperature": 0.2}`. `model_name`, the parameters of the chat format such as `temperature` (0-2), `max_tokens` (1 or more), `stop`, `tools` and `response_format`, and `provider_options` with members of the provider’s own API. For an image: parameters of the image provider. For a service: the settings of its node, with `{{ input.prompt }}`, and `result`, the expression of the result. For a workflow: `workflow_id`, `input` and `result`. Default: `{}`.',
  })
  parameters?: unknown;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the message is sent several times, in rounds. Default: false.',
  })
  isLoop?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of rounds of a loop without a loop variable, 1-1000. Default: 1.',
  })
  loopCount?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a variable of the project. A loop sends the message once for each active value of this variable. Default: none; `loopCount` applies.',
  })
  loopVariableId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the next message may start before the response to this one arrives. Default: false.',
  })
  isAsync?: boolean | null;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Ids of at most 100 prompts of the project. They are sent in the order of their positions. Default: none.',
  })
  promptIds?: number[] | null;

  @Field(() => [ConditionInput], {
    nullable: true,
    description: 'At most 100 conditions that skip the message or end the run. Default: none.',
  })
  conditions?: ConditionInput[] | null;
}

@InputType({ description: 'A new message.' })
export class MessageCreateInput extends MessageSettings {
  @Field(() => Int, { description: 'Id of the project that owns the message.' })
  projectId!: number;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  key!: string;
}

@InputType({ description: 'Changes to a message. Omitted fields stay unchanged; null resets a field to its default.' })
export class MessageUpdateInput extends MessageSettings {
  @Field(() => String, { nullable: true, description: 'Unique within the project, 1-255 characters.' })
  key?: string;
}

@InputType({ description: 'Conditions for listing messages. All given conditions must match.' })
export class MessageFilter extends KeyedPartFilter {}

@ObjectType({ description: 'One page of messages.' })
export class MessagePage extends pageOf(Message) {}
