import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { TriggerConversationService } from './trigger-conversation.service.js';
import { TriggerConversation, TriggerConversationPage } from './trigger-conversation.type.js';

@Resolver(() => TriggerConversation)
export class TriggerConversationResolver {
  constructor(private readonly conversations: TriggerConversationService) {}

  @Query(() => TriggerConversationPage, {
    name: 'triggerConversations',
    description:
      'Conversations of a chat, the last changed first; empty for triggers of other kinds. Requires the role editor.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('triggerId', () => Int, { description: 'Id of the trigger.' }) triggerId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.conversations.list(viewer, triggerId, page);
  }

  @PayloadMutation({
    returns: { triggerConversation: () => TriggerConversation },
    name: 'triggerConversationDelete',
    description:
      'Deletes a conversation with its messages. Its runs stay; answers of runs in progress are not stored. Requires the role editor.',
  })
  delete(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the conversation.' }) id: string,
  ) {
    return this.conversations.delete(viewer, id);
  }
}
