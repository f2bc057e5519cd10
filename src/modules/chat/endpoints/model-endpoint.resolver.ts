import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { EndpointName } from '../../../providers/llm/endpoints/model-endpoint.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ChatService } from '../chat.service.js';
import { EmbeddingsScalar, ModelMessageScalar, ModelResponseScalar } from '../chat-completion.scalar.js';
import {
  type ChatRequestInput,
  EmbeddingsRequestScalar,
  ModelMessageRequestScalar,
  ModelResponseRequestScalar,
} from '../chat-request.scalar.js';

const PAYER =
  'The project that is charged. Its provider keys take precedence over those of the service. Default: the account of the caller.';
const ERRORS =
  'The provider must respond within 60 seconds. Errors have the same codes as those of `chatCompletionCreate`. Requires the role editor if a project is given.';

/** Names of beta features, separated by commas. */
const FEATURES = /^[\w.:, -]{1,1000}$/;

/** The model APIs other than chat completions. */
@Resolver()
export class ModelEndpointResolver {
  constructor(private readonly chat: ChatService) {}

  @PayloadMutation({
    returns: { embeddings: () => EmbeddingsScalar },
    name: 'embeddingsCreate',
    description: `Creates embeddings: one vector for each input. ${ERRORS}`,
  })
  embed(
    @Ctx() context: RequestContext,
    @Arg('request', () => EmbeddingsRequestScalar, { description: 'The request.' }) request: ChatRequestInput,
    @Arg('projectId', () => Int, { nullable: true, description: PAYER }) projectId: number | null,
  ) {
    return this.#call(context, 'embeddings', request, projectId);
  }

  @PayloadMutation({
    returns: { modelResponse: () => ModelResponseScalar },
    name: 'modelResponseCreate',
    description: `Creates a response of a model in the format of the OpenAI Responses API. For providers without this API the request is translated to chat completions. ${ERRORS}`,
  })
  respond(
    @Ctx() context: RequestContext,
    @Arg('request', () => ModelResponseRequestScalar, {
      description: 'The request. `stream` is supported over REST only.',
    })
    request: ChatRequestInput,
    @Arg('projectId', () => Int, { nullable: true, description: PAYER }) projectId: number | null,
  ) {
    return this.#call(context, 'responses', request, projectId);
  }

  @PayloadMutation({
    returns: { modelMessage: () => ModelMessageScalar },
    name: 'modelMessageCreate',
    description: `Creates a message of a model in the format of the Anthropic Messages API. For providers other than Anthropic the request is translated to chat completions. ${ERRORS}`,
  })
  message(
    @Ctx() context: RequestContext,
    @Arg('request', () => ModelMessageRequestScalar, {
      description: 'The request. `stream` is supported over REST only.',
    })
    request: ChatRequestInput,
    @Arg('projectId', () => Int, { nullable: true, description: PAYER }) projectId: number | null,
    @Arg('beta', () => String, {
      nullable: true,
      description:
        'Beta features of Anthropic, separated by commas: the header `anthropic-beta`. Other providers ignore it. Default: none.',
    })
    beta: string | null,
  ) {
    if (beta && !FEATURES.test(beta))
      throw new InvalidInputError({ beta: ['Expected names of features, separated by commas.'] });
    return this.#call(context, 'messages', request, projectId, beta ? { 'anthropic-beta': beta } : undefined);
  }

  #call(
    { viewer, signal, takesBytes }: RequestContext,
    endpoint: EndpointName,
    request: ChatRequestInput,
    projectId: number | null,
    headers?: Record<string, string>,
  ) {
    const call = { projectId: projectId ?? null, signal, endpoint, headers };
    // REST sends the bytes of the provider's response unchanged, GraphQL returns its value.
    return this.chat[takesBytes ? 'answer' : 'complete'](viewer, request, call);
  }
}
