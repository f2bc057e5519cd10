import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { ConversationMessage, MemberChat, MemberChatMessage } from './member-chat.type.js';
import type { MemberChats } from './member-chats.js';

@Resolver(() => MemberChat)
export class MemberChatResolver {
  constructor(private readonly chats: MemberChats) {}

  @Query(() => MemberChat, {
    name: 'memberChat',
    description:
      'Returns a chat with the access MEMBERS. CONFLICT when the trigger is no such chat, or the chat is closed. Requires the role viewer.',
  })
  get(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number,
    @Arg('conversationId', () => UUID, {
      nullable: true,
      description: 'Id of a conversation of the caller. Default: no messages.',
    })
    conversationId: string | null | undefined,
  ) {
    return this.chats.get(viewer, id, conversationId ?? null);
  }

  @PayloadMutation({
    returns: { message: () => ConversationMessage },
    name: 'memberChatSend',
    description:
      'Sends a message to a chat with the access MEMBERS, which starts a run for the user of the trigger. Returns the answer, or after `waitSeconds` of the chat the pending message. CONFLICT when the chat is closed or the conversation is full. Requires the role viewer.',
  })
  send(
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the trigger.' }) id: number,
    @Arg('message', () => MemberChatMessage, { description: 'The message.' }) message: MemberChatMessage,
  ) {
    return this.chats.send(context, id, message);
  }
}
