import type { ProviderProtocol } from '../chat/provider-protocol.js';
import { openai } from '../openai/index.js';

/**
 * A provider that speaks OpenAI's chat completions. One with a format of its own declares `ask`, `translation` and `readModels`: see
 * `src/providers/llm/anthropic`.
 */
export const sampleItem: ProviderProtocol = {
  ...openai,
  name: 'sample-item',
  description: 'Sample item.',
  ownUrl: 'https://api.sample-item.example/v1',
  defaultModel: 'sample-item-small',
  knows: model => model.startsWith('sample-item-'),
};
