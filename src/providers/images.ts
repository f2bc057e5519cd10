import { type CallContext, type ImageRequest, PortError, type Usage } from '../engine/ports.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import { withoutTrailingSlashes } from '../platform/requests/trailing-slashes.js';
import { isCount } from './llm/chat/chat-format.js';
import { countTokens } from './llm/count-tokens.js';
import { callUpstream, isObject, type Upstream } from './llm/upstream.js';
import { costOf } from './prices.js';

export interface ImageProviderOptions {
  /** An OpenAI-compatible upstream; the address ends in `/v1`. */
  baseUrl: string;
  apiKey?: string;
  /** Whether the key is one of the project. Default: no. */
  isOwn?: boolean;
  /** Reaches the upstream: what the operator configured by a client that trusts it, what a user named by one that does not. */
  upstream: Outbound;
  /** Reaches the addresses at which an upstream says that its images lie. */
  outbound: Outbound;
  /** Bytes of one image. */
  maxBytes: number;
}

export interface GeneratedImage {
  content: Buffer;
  usage: Usage;
}

/** Has images made, by its own names of models. */
export interface ImageProvider {
  /** Whether it is called with a key of the project. */
  readonly isOwn: boolean;
  make(request: ImageRequest, call: CallContext): Promise<GeneratedImage>;
  /** The most that an image should cost, in US dollars as an exact decimal text; `"0"` where no price is known. */
  estimate(request: ImageRequest): Promise<string>;
}

const NAME = 'openai';
const DEFAULT_MODEL = 'gpt-image-1';
/** Of the largest image at the best quality. */
const ASSUMED_TOKENS = 8_192;
/** What base64 and the JSON around it add. */
const ENCODING_FACTOR = 1.5;
/** What the call sets itself, and settings of chat models that an image's maker would refuse. */
const NOT_PASSED = new Set([
  'model',
  'model_name',
  'prompt',
  'n',
  'stream',
  'partial_images',
  'response_format',
  'temperature',
  'max_tokens',
  'top_p',
]);

/** Any server that speaks OpenAI's `POST /images/generations`. */
export function createImageProvider({ baseUrl, apiKey, ...options }: ImageProviderOptions): ImageProvider {
  const { outbound, maxBytes, isOwn = false } = options;
  const upstream: Upstream = { baseUrl: withoutTrailingSlashes(baseUrl), apiKey, outbound: options.upstream };

  const download = async (url: string, usage: Usage, signal: AbortSignal): Promise<Buffer> => {
    try {
      const request = { method: 'GET', url, signal, maxResponseBytes: maxBytes, followRedirects: true };
      const { status, body } = await outbound.request(request);
      if (status === 200) return body;
    } catch (error) {
      if (signal.aborted) throw error;
    }
    throw new PortError('bad_upstream_answer', 'The image cannot be fetched from where its maker put it.', usage);
  };

  return {
    isOwn,

    async make(request, { signal, idempotencyKey }) {
      if (request.provider !== undefined && request.provider !== NAME)
        throw new PortError('provider_not_configured', `Images are made by the provider ${NAME} alone.`);
      const answer = await callUpstream(upstream, {
        method: 'POST',
        path: '/images/generations',
        headers: { 'idempotency-key': idempotencyKey },
        body: imageBody(request),
        maxResponseBytes: Math.ceil(maxBytes * ENCODING_FACTOR),
        signal,
      });
      const usage = await usageOf(answer, request, upstream.baseUrl);
      if (isOwn) usage.isOwn = true;
      const image: unknown = isObject(answer) && Array.isArray(answer.data) ? answer.data[0] : undefined;
      const { b64_json: encoded, url } = isObject(image) ? image : {};
      if (typeof encoded === 'string') return { content: Buffer.from(encoded, 'base64'), usage };
      if (typeof url === 'string') return { content: await download(url, usage, signal), usage };
      throw new PortError('bad_upstream_answer', 'The model provider answered without an image.', usage);
    },

    async estimate(request) {
      const use = { promptTokens: countTokens(promptOf(request)), completionTokens: ASSUMED_TOKENS };
      return (await costOf({ provider: NAME, model: modelOf(request), baseUrl: upstream.baseUrl, ...use })) ?? '0';
    },
  };
}

function imageBody(request: ImageRequest): string {
  const model = modelOf(request);
  const passed = Object.entries(request.parameters).filter(([name]) => !NOT_PASSED.has(name));
  return JSON.stringify({
    ...Object.fromEntries(passed),
    model,
    prompt: promptOf(request),
    n: 1,
    // The newer models know no other format and refuse the word.
    response_format: model.startsWith('dall-e') ? 'b64_json' : undefined,
  });
}

/** The interface has one text for both: what is not to be shown is said in words. */
function promptOf({ positive, negative }: ImageRequest): string {
  const unwanted = negative.length > 0 ? [`Do not show: ${negative.join(', ')}`] : [];
  return [...positive, ...unwanted].join('\n');
}

function modelOf({ parameters }: ImageRequest): string {
  const { model_name: name } = parameters;
  if (typeof name !== 'string' || name === '') return DEFAULT_MODEL;
  return name.startsWith(`${NAME}/`) ? name.slice(NAME.length + 1) : name;
}

/** Models that are paid by the image report no tokens: their price is unknown here. */
async function usageOf(answer: unknown, request: ImageRequest, baseUrl: string): Promise<Usage> {
  const model = modelOf(request);
  const reported = isObject(answer) && isObject(answer.usage) ? answer.usage : {};
  const { input_tokens: promptTokens, output_tokens: completionTokens } = reported;
  if (!isCount(promptTokens) || !isCount(completionTokens))
    return { provider: NAME, model, promptTokens: countTokens(promptOf(request)), completionTokens: 0, costUsd: null };
  const costUsd = await costOf({ provider: NAME, model, promptTokens, completionTokens, baseUrl });
  return { provider: NAME, model, promptTokens, completionTokens, costUsd };
}
