import { listedIds } from '../chat/listed-ids.js';
import { withModel } from '../chat/model-member.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';

/** Any server with OpenAI's chat completions API. The server decides which models it accepts. */
export const openai: ProviderProtocol = {
  name: 'openai',
  description: 'OpenAI, or any server with its chat completions API.',
  ownUrl: 'https://api.openai.com/v1',
  usesAnyAddress: true,
  defaultModel: 'gpt-4o-mini',
  knows: model => /^(gpt-|chatgpt-|o\d|text-embedding-3-|dall-e-|tts-|whisper-)/.test(model),
  credentials: apiKey => ({ authorization: `Bearer ${apiKey}` }),
  buildRequest: (model, request) => ({ path: '/chat/completions', body: withModel(request, model) }),
  translation: null,
  endpoints: {
    embeddings: {
      buildRequest: (model, request) => ({ path: '/embeddings', body: withModel(request, model) }),
      translation: null,
    },
    responses: {
      buildRequest: (model, request) => ({ path: '/responses', body: withModel(request, model) }),
      translation: null,
    },
  },
  hasMedia: true,
  modelsPath: '/models',
  readModels: answer => listedIds(answer, 'data', 'id'),
};
