import { definedOf } from '../chat/content-parts.js';
import { listedIds } from '../chat/listed-ids.js';
import { withModel } from '../chat/model-member.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';
import { anthropicRequest } from './request.js';
import { anthropicTranslation } from './translation.js';

/** Anthropic's Messages API. The base URL ends in `/v1`. */
export const anthropic: ProviderProtocol = {
  name: 'anthropic',
  description: 'Anthropic.',
  ownUrl: 'https://api.anthropic.com/v1',
  defaultModel: 'claude-haiku-4-5',
  knows: model => model.startsWith('claude-'),
  credentials: apiKey => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
  refusedParameters: [
    ...(['seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs'] as const),
    ...(['verbosity', 'prediction', 'web_search_options', 'safety_identifier', 'prompt_cache_key'] as const),
    ...(['metadata', 'store', 'service_tier'] as const),
  ],
  buildRequest: (model, { value, options }) => {
    const request = anthropicRequest(model, value);
    return { path: '/messages', body: JSON.stringify({ ...options, ...definedOf(request) }) };
  },
  translation: anthropicTranslation,
  endpoints: {
    messages: {
      buildRequest: (model, request) => ({ path: '/messages', body: withModel(request, model) }),
      translation: null,
    },
  },
  modelsPath: '/models?limit=1000',
  readModels: answer => listedIds(answer, 'data', 'id'),
};
