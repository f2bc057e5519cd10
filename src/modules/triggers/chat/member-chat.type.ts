import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { MAX_MESSAGES } from './conversations.js';
import { MAX_TEXT_CHARACTERS } from './received-message.js';

export enum ConversationMessageState {
  PENDING = 'pending',
  ANSWERED = 'answered',
  FAILED = 'failed',
}
registerEnumType(ConversationMessageState, {
  name: 'ConversationMessageState',
  description: 'State of a message of a chat.',
  valuesConfig: {
    PENDING: { description: 'Its run has not answered yet.' },
    ANSWERED: { description: 'It has an answer.' },
    FAILED: { description: 'Its run failed or was refused. The log of the trigger has the reason of a refusal.' },
  },
});

@ObjectType({ description: 'A message of a chat with its answer.' })
export class ConversationMessage {
  @Field(() => UUID, { description: 'Id of the run of the message.' })
  runId!: string;

  @Field(() => String, { description: `The message, at most ${MAX_TEXT_CHARACTERS} characters.` })
  text!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The reply or the output of the run, at most 32,000 characters. Null: there is none.',
  })
  answer!: string | null;

  @Field(() => ConversationMessageState, { description: 'Whether it has an answer.' })
  state!: ConversationMessageState;

  @Field(() => DateTime, { description: 'When the message was sent.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A chat for members of the project.' })
export class MemberChat {
  @Field(() => String, { description: 'Title of the chat.' })
  title!: string;

  @Field(() => String, { description: 'First text of the conversation, at most 2,000 characters.' })
  greeting!: string;

  @Field(() => [ConversationMessage], {
    description: `The messages of the caller in the conversation, oldest first. Not paginated. At most ${MAX_MESSAGES}.`,
  })
  messages!: ConversationMessage[];
}

@InputType({ description: 'A message to a chat.' })
export class MemberChatMessage {
  @Field(() => UUID, {
    description: 'Id of the conversation, chosen by the client. A new id begins a new conversation.',
  })
  conversationId!: string;

  @Field(() => UUID, {
    description: 'Id of the message, chosen by the client. A repeated message starts no second run.',
  })
  messageId!: string;

  @Field(() => String, { description: `The message, 1-${MAX_TEXT_CHARACTERS} characters.` })
  text!: string;
}
