import { listedIds } from '../chat/listed-ids.js';
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
  buildRequest: (model, { value }) => ({ path: '/messages', body: JSON.stringify(anthropicRequest(model, value)) }),
  translation: anthropicTranslation,
  modelsPath: '/models?limit=1000',
  readModels: answer => listedIds(answer, 'data', 'id'),
};
