import { isObject } from '../../engine/json-value.js';
import type { Dialect } from './chat/dialect.js';
import { withModel } from './chat/model-member.js';

/** Any server that speaks OpenAI's chat completions: whatever model it is asked for is its own affair. */
export const openAi: Dialect = {
  name: 'openai',
  defaultModel: 'gpt-4o-mini',
  knows: model => /^(gpt-|chatgpt-|o\d)/.test(model),
  credentials: apiKey => ({ authorization: `Bearer ${apiKey}` }),
  ask: (model, request) => ({ path: '/chat/completions', body: withModel(request, model) }),
  translation: null,
  modelsPath: '/models',
  readModels: answer => listedIds(answer, 'data', 'id'),
};

export function listedIds(answer: unknown, list: string, id: string): string[] {
  const listed = isObject(answer) && Array.isArray(answer[list]) ? answer[list] : [];
  return listed.flatMap((entry: unknown) => (isObject(entry) && typeof entry[id] === 'string' ? [entry[id]] : []));
}
