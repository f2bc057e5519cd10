import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';

@ObjectType({
  description: 'A conversation of a visitor or member with a chat. Deleted 30 days after its last message.',
})
export class TriggerConversation {
  @Field(() => UUID, { description: 'Unique id. The input of the runs has it as `conversation_id`.' })
  id!: string;

  @Field(() => Int, { description: 'Id of the trigger.' })
  triggerId!: number;

  @Field(() => String, { description: 'The beginning of the first message: at most 200 characters.' })
  beginning!: string;

  @Field(() => Int, { description: 'Number of messages, 0-200, without answers.' })
  messageCount!: number;

  @Field(() => DateTime, { description: 'When the conversation began.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the last message or answer was stored.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'One page of conversations.' })
export class TriggerConversationPage extends pageOf(TriggerConversation) {}
