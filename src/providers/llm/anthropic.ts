import { anthropicRequest } from './anthropic/request.js';
import { anthropicTranslation } from './anthropic/translation.js';
import type { Dialect } from './chat/dialect.js';
import { listedIds } from './openai.js';

/** Anthropic's messages. The base URL ends in `/v1`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  defaultModel: 'claude-haiku-4-5',
  knows: model => model.startsWith('claude-'),
  credentials: apiKey => ({ 'x-api-key': apiKey }),
  headers: { 'anthropic-version': '2023-06-01' },
  ask: (model, { value }) => ({ path: '/messages', body: JSON.stringify(anthropicRequest(model, value)) }),
  translation: anthropicTranslation,
  modelsPath: '/models?limit=1000',
  readModels: answer => listedIds(answer, 'data', 'id'),
};
