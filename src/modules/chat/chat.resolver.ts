import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { BillingFilter, BillingTransactionPage } from '../billing/billing-transaction.js';
import type { ChatService } from './chat.service.js';
import { ChatCompletionScalar } from './chat-completion.scalar.js';
import { ChatModelList } from './chat-model.type.js';
import { ChatRequestScalar, type GivenChatRequest } from './chat-request.scalar.js';

@Resolver()
export class ChatResolver {
  constructor(private readonly chat: ChatService) {}

  @Query(() => ChatModelList, {
    name: 'chatModels',
    description: 'The models that chat completions can ask for: of every provider that answers within 10 seconds.',
  })
  models(
    @Ctx() { viewer, signal }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'By the provider keys of this project as well.' })
    projectId: number | null,
  ) {
    return this.chat.models(viewer, { projectId: projectId ?? null, signal });
  }

  @Query(() => BillingTransactionPage, {
    name: 'chatTransactions',
    description:
      'What chat completions were charged, newest first: those of the caller, or with a project those that were made for it.',
  })
  transactions(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'The project.' }) projectId: number | null,
    @Arg('filter', () => BillingFilter, { nullable: true, description: 'Which transactions.' })
    filter: BillingFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.chat.transactions(viewer, projectId ?? null, filter, page);
  }

  @Mutation(() => ChatCompletionScalar, {
    name: 'chatCompletionCreate',
    description:
      'Has a model complete a chat, within 60 seconds. A refusal of the provider is BAD_USER_INPUT, RATE_LIMITED or UNAVAILABLE; past the spending limit of the project or of the API key, or an operator’s limit, it is BUDGET_EXCEEDED. Needs the role editor where a project is named.',
  })
  complete(
    @Ctx() { viewer, signal, takesBytes }: RequestContext,
    @Arg('request', () => ChatRequestScalar, { description: 'What is asked. `stream` is for REST alone.' })
    request: GivenChatRequest,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'The project that the call is made and charged for, by its provider keys first.',
    })
    projectId: number | null,
  ) {
    return this.chat[takesBytes ? 'answer' : 'complete'](viewer, request, { projectId: projectId ?? null, signal });
  }
}
