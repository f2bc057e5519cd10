import { isObject } from '../../../engine/json-value.js';
import { wantsStream } from '../chat/chat-format.js';
import { definedOf } from '../chat/content-parts.js';
import { listedIds } from '../chat/listed-ids.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';
import { geminiEmbeddings } from './embeddings.js';
import { geminiRequest } from './request.js';
import { geminiTranslation } from './translation.js';

/** Google's Gemini. The base URL ends in `/v1beta`. */
export const gemini: ProviderProtocol = {
  name: 'gemini',
  description: 'Google’s Gemini.',
  ownUrl: 'https://generativelanguage.googleapis.com/v1beta',
  conventionalName: 'gcp.gemini',
  seller: 'google',
  defaultModel: 'gemini-2.5-flash',
  knows: model => /^(gemini|gemma)-/.test(model),
  credentials: apiKey => ({ 'x-goog-api-key': apiKey }),
  refusedParameters: [
    ...(['logit_bias', 'logprobs', 'top_logprobs', 'parallel_tool_calls', 'verbosity', 'prediction'] as const),
    ...(['web_search_options', 'user', 'safety_identifier', 'prompt_cache_key', 'metadata', 'store'] as const),
    'service_tier',
  ],
  buildRequest: (model, { value, options }) => {
    const method = wantsStream(value) ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return {
      path: `/models/${encodeURIComponent(model)}:${method}`,
      body: JSON.stringify(withOptions(geminiRequest(model, value), options)),
    };
  },
  translation: geminiTranslation,
  endpoints: { embeddings: geminiEmbeddings },
  modelsPath: '/models?pageSize=1000',
  readModels: answer => listedIds(answer, 'models', 'name').map(name => name.replace(/^models\//, '')),
};

/** Merges members of Gemini's own API. The parameters of the request take precedence, also in `generationConfig`. */
function withOptions(request: Record<string, unknown>, options: Readonly<Record<string, unknown>> | undefined): object {
  if (!options) return request;
  const { generationConfig: own } = options;
  const { generationConfig: config } = request;
  const generationConfig = { ...(isObject(own) && own), ...(isObject(config) && definedOf(config)) };
  return { ...options, ...definedOf(request), generationConfig };
}
