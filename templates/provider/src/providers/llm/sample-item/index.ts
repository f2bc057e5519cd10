import type { Dialect } from '../chat/dialect.js';
import { openai } from '../openai/index.js';

/**
 * A provider that speaks OpenAI's chat completions. One with a format of its own declares `ask`, `translation` and `readModels`: see
 * `src/providers/llm/anthropic`.
 */
export const sampleItem: Dialect = {
  ...openai,
  name: 'sample-item',
  description: 'Sample item.',
  ownUrl: 'https://api.sample-item.example/v1',
  defaultModel: 'sample-item-small',
  knows: model => model.startsWith('sample-item-'),
};
