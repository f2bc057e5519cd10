import { isObject } from '../engine/json-value.js';
import { type CallContext, type ImageRequest, PortError, type Usage } from '../engine/ports.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import { withoutTrailingSlashes } from '../platform/requests/trailing-slashes.js';
import { isCount } from './llm/chat/chat-format.js';
import { estimateTokens } from './llm/estimate-tokens.js';
import { callUpstream, type Upstream } from './llm/upstream.js';
import { costOf } from './prices.js';

export interface ImageProviderOptions {
  /** Base URL of an OpenAI-compatible upstream, which ends in `/v1`. */
  baseUrl: string;
  apiKey?: string;
  /** Whether the key belongs to the project. Default: false. */
  isOwn?: boolean;
  /** The client for the upstream. It is trusted for addresses of the operator's configuration, guarded for those of users. */
  upstream: Outbound;
  /** The guarded client that downloads images from the URLs in responses. */
  outbound: Outbound;
  /** Maximum bytes of one image. */
  maxBytes: number;
}

export interface GeneratedImage {
  content: Buffer;
  usage: Usage;
}

/** Generates images with the models of an upstream. */
export interface ImageProvider {
  /** Whether it uses a provider key of the project. */
  readonly isOwn: boolean;
  generate(request: ImageRequest, call: CallContext): Promise<GeneratedImage>;
  /** The maximum expected cost of an image, in US dollars as an exact decimal string; `"0"` if the price is unknown. */
  estimate(request: ImageRequest): Promise<string>;
}

const NAME = 'openai';
const DEFAULT_MODEL = 'gpt-image-1';
/** Tokens of the largest image at the best quality. */
const ASSUMED_TOKENS = 8_192;
/** The response contains the image in base64 within JSON. */
const ENCODING_FACTOR = 1.5;
/** Parameters that this provider sets itself, and chat settings that image models reject. */
const OMITTED_PARAMETERS = new Set([
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

/** Creates a provider for any server with OpenAI's `POST /images/generations`. */
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
    throw new PortError(
      'bad_upstream_answer',
      'The image cannot be downloaded from the URL in the response of the model provider.',
      { usage },
    );
  };

  return {
    isOwn,

    async generate(request, { signal, idempotencyKey }) {
      if (request.provider !== undefined && request.provider !== NAME)
        throw new PortError('provider_not_configured', `The provider ${NAME} is the only one for images.`);
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
      throw new PortError('bad_upstream_answer', 'The model provider responded without an image.', { usage });
    },

    async estimate(request) {
      const use = { promptTokens: estimateTokens(promptOf(request)), completionTokens: ASSUMED_TOKENS };
      return (await costOf({ provider: NAME, model: modelOf(request), baseUrl: upstream.baseUrl, ...use })) ?? '0';
    },
  };
}

function imageBody(request: ImageRequest): string {
  const model = modelOf(request);
  const passedParameters = Object.entries(request.parameters).filter(([name]) => !OMITTED_PARAMETERS.has(name));
  return JSON.stringify({
    ...Object.fromEntries(passedParameters),
    model,
    prompt: promptOf(request),
    n: 1,
    // Newer models always return base64 and reject the parameter.
    response_format: model.startsWith('dall-e') ? 'b64_json' : undefined,
  });
}

/** The API has no negative prompt, so unwanted content becomes a sentence of the prompt. */
function promptOf({ positive, negative }: ImageRequest): string {
  const unwanted = negative.length > 0 ? [`Do not show: ${negative.join(', ')}`] : [];
  return [...positive, ...unwanted].join('\n');
}

function modelOf({ parameters }: ImageRequest): string {
  const { model_name: name } = parameters;
  if (typeof name !== 'string' || name === '') return DEFAULT_MODEL;
  return name.startsWith(`${NAME}/`) ? name.slice(NAME.length + 1) : name;
}

/** Models with a price per image report no tokens. Their cost is unknown. */
async function usageOf(answer: unknown, request: ImageRequest, baseUrl: string): Promise<Usage> {
  const model = modelOf(request);
  const reported = isObject(answer) && isObject(answer.usage) ? answer.usage : {};
  const { input_tokens: promptTokens, output_tokens: completionTokens } = reported;
  if (!isCount(promptTokens) || !isCount(completionTokens))
    return {
      provider: NAME,
      model,
      promptTokens: estimateTokens(promptOf(request)),
      completionTokens: 0,
      costUsd: null,
    };
  const costUsd = await costOf({ provider: NAME, model, promptTokens, completionTokens, baseUrl });
  return { provider: NAME, model, promptTokens, completionTokens, costUsd };
}
