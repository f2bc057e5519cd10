import { wantsStream } from '../chat/chat-format.js';
import { listedIds } from '../chat/listed-ids.js';
import type { ProviderProtocol } from '../chat/provider-protocol.js';
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
  buildRequest: (model, { value }) => {
    const method = wantsStream(value) ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return {
      path: `/models/${encodeURIComponent(model)}:${method}`,
      body: JSON.stringify(geminiRequest(model, value)),
    };
  },
  translation: geminiTranslation,
  modelsPath: '/models?pageSize=1000',
  readModels: answer => listedIds(answer, 'models', 'name').map(name => name.replace(/^models\//, '')),
};
