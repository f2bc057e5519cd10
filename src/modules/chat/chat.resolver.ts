import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { BillingFilter, BillingTransactionPage } from '../billing/billing-transaction.js';
import type { ChatService } from './chat.service.js';
import { ChatCompletionScalar } from './chat-completion.scalar.js';
import { ChatModel, ChatModelList } from './chat-model.type.js';
import { type ChatRequestInput, ChatRequestScalar } from './chat-request.scalar.js';

@Resolver()
export class ChatResolver {
  constructor(private readonly chat: ChatService) {}

  @Query(() => ChatModelList, {
    name: 'chatModels',
    description:
      'The models that chat completions can use. Providers that do not respond within 10 seconds are left out. Requires the role viewer if a project is given.',
  })
  models(
    @Ctx() { viewer, signal }: RequestContext,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'Includes the models of the provider keys of this project. Default: models of the service only.',
    })
    projectId: number | null,
  ) {
    return this.chat.models(viewer, { projectId: projectId ?? null, signal });
  }

  @Query(() => ChatModel, {
    name: 'chatModel',
    description:
      'A model that chat completions can use; NOT_FOUND if its provider does not list it. Requires the role viewer if a project is given.',
  })
  model(
    @Ctx() { viewer, signal }: RequestContext,
    @Arg('id', () => String, { description: 'The name of the model, or `provider/name`.' }) id: string,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'Includes the models of the provider keys of this project. Default: models of the service only.',
    })
    projectId: number | null,
  ) {
    return this.chat.model(viewer, id, { projectId: projectId ?? null, signal });
  }

  @Query(() => BillingTransactionPage, {
    name: 'chatTransactions',
    description:
      'Charges of chat completions, newest first: those of the caller, or those of a project. Requires the role viewer if a project is given.',
  })
  transactions(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'Returns the charges of this project.' }) projectId:
      | number
      | null,
    @Arg('filter', () => BillingFilter, { nullable: true, description: 'Restricts the transactions. Default: all.' })
    filter: BillingFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.chat.transactions(viewer, projectId ?? null, filter, page);
  }

  @PayloadMutation({
    returns: { chatCompletion: () => ChatCompletionScalar },
    name: 'chatCompletionCreate',
    description:
      'Creates a chat completion. The provider must respond within 60 seconds. Errors of the provider have the code BAD_USER_INPUT, RATE_LIMITED or UNAVAILABLE. A call that exceeds the spending limit of the project, of the API key or of the operator fails with BUDGET_EXCEEDED. Requires the role editor if a project is given.',
  })
  complete(
    @Ctx() { viewer, signal, takesBytes }: RequestContext,
    @Arg('request', () => ChatRequestScalar, { description: 'The request. `stream` is supported over REST only.' })
    request: ChatRequestInput,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'The project that is charged. Its provider keys take precedence over those of the service.',
    })
    projectId: number | null,
  ) {
    // REST sends the bytes of the provider's response unchanged, GraphQL returns its value.
    return this.chat[takesBytes ? 'answer' : 'complete'](viewer, request, { projectId: projectId ?? null, signal });
  }
}
