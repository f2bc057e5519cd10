import { isObject } from '../../../engine/json-value.js';
import { type ModelAnswer, type ModelRequest, PortError, type Usage } from '../../../engine/ports.js';
import { costOf } from '../../prices.js';
import { UnsupportedChatError } from '../chat/chat-error.js';
import { isCount } from '../chat/chat-format.js';
import type { EndpointFormat, ProviderProtocol } from '../chat/provider-protocol.js';
import { estimatePromptTokens } from '../estimate-tokens.js';
import { embeddings } from './embeddings.js';
import type { EndpointRequest } from './model-endpoint.js';

interface EmbeddingCall {
  provider: string;
  /** Name of the provider in the price table. Default: `provider`. */
  seller?: string | undefined;
  model: string;
  request: ModelRequest;
  baseUrl?: string;
  /** Whether the call uses a provider key of the project. */
  isOwn?: boolean;
}

type ProviderContent = ReturnType<EndpointFormat['buildRequest']>;

/**
 * Asks a provider for a vector of each message. `post` sends the content and returns the JSON response. The text of the
 * answer is the list of vectors as JSON. Throws the PortError `bad_request` if the provider has no embeddings.
 */
export async function embed(
  { name, endpoints }: ProviderProtocol,
  call: EmbeddingCall,
  post: (content: ProviderContent) => Promise<unknown>,
): Promise<ModelAnswer> {
  const format = endpoints?.embeddings;
  if (!format) throw new PortError('bad_request', `The provider ${name} has no embeddings.`, { isFinal: true });
  const { messages, embedding } = call.request;
  const value = { ...embedding, model: call.model, input: messages.map(({ content }) => content) };
  const request = { value, text: JSON.stringify(value), endpoint: embeddings };
  const body = await post(contentOf(format, call.model, request));
  return readEmbeddings(format.translation ? format.translation.answer(body, value) : body, call);
}

function contentOf(format: EndpointFormat, model: string, request: EndpointRequest): ProviderContent {
  try {
    return format.buildRequest(model, request);
  } catch (error) {
    if (error instanceof UnsupportedChatError) throw new PortError('bad_request', error.message, { isFinal: true });
    throw error;
  }
}

/**
 * Reads the vectors and computes the cost. Throws the PortError `bad_upstream_answer`, with the usage if the provider
 * reported it, so that a call without valid vectors is charged as well.
 */
async function readEmbeddings(body: unknown, call: EmbeddingCall): Promise<ModelAnswer> {
  const { provider, seller = provider, model, request, baseUrl } = call;
  const reported = isObject(body) && isObject(body.usage) ? body.usage.prompt_tokens : undefined;
  const promptTokens = isCount(reported) ? reported : estimatePromptTokens(request.messages);
  const costUsd = await costOf({ provider: seller, model, promptTokens, completionTokens: 0, baseUrl });
  const usage: Usage = { provider, model, promptTokens, completionTokens: 0, costUsd };
  if (call.isOwn) usage.isOwn = true;
  const vectors = vectorsOf(body);
  if (vectors.length === request.messages.length && vectors.every(isVector))
    return { text: JSON.stringify(vectors), usage };
  const reason = 'The model provider did not respond with a vector of numbers for each text.';
  throw new PortError('bad_upstream_answer', reason, isCount(reported) ? { usage } : {});
}

/** The vectors in the order of the texts: by `index`, or by position if the provider sends no valid index. */
function vectorsOf(body: unknown): unknown[] {
  const data = isObject(body) && Array.isArray(body.data) ? body.data : [];
  const vectors: unknown[] = [];
  for (const [position, entry] of data.entries()) {
    const index = isObject(entry) && isCount(entry.index) && entry.index < data.length ? entry.index : position;
    vectors[index] = isObject(entry) ? entry.embedding : undefined;
  }
  return vectors;
}

function isVector(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}
