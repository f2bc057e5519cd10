import { listedIds } from '../chat/listed-ids.js';
import { withModel } from '../chat/model-member.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';

/** Any server that speaks OpenAI's chat completions: whatever model it is asked for is its own affair. */
export const openai: ProviderProtocol = {
  name: 'openai',
  description: 'OpenAI, or any server that speaks its chat completions.',
  ownUrl: 'https://api.openai.com/v1',
  usesAnyAddress: true,
  defaultModel: 'gpt-4o-mini',
  knows: model => /^(gpt-|chatgpt-|o\d)/.test(model),
  credentials: apiKey => ({ authorization: `Bearer ${apiKey}` }),
  ask: (model, request) => ({ path: '/chat/completions', body: withModel(request, model) }),
  translation: null,
  modelsPath: '/models',
  readModels: answer => listedIds(answer, 'data', 'id'),
};
