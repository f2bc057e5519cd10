import { countPromptTokens, countTokens } from './count-tokens.js';
import type { Provider } from './provider.js';

/** Answers with the last user message, without an upstream and without cost, so that everything works offline. */
export const echo: Provider = {
  name: 'echo',
  defaultModel: 'echo',
  knows: model => model === 'echo',
  models: async () => ['echo'],
  async complete(model, { messages }, { signal }) {
    signal.throwIfAborted();
    const text = messages.findLast(({ role }) => role === 'user')?.content ?? messages.at(-1)?.content ?? '';
    const usage = {
      provider: 'echo',
      model,
      promptTokens: countPromptTokens(messages),
      completionTokens: countTokens(text),
      costUsd: '0',
    };
    return { text, usage };
  },
};
