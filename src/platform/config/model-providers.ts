/**
 * The model providers. Each has the variables `<NAME>_BASE_URL` and `<NAME>_API_KEY`, and a folder in `src/providers/llm`. The
 * first one that is configured answers requests that name no model.
 */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;

export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Where a provider is and with what key. One of the two is enough: the address defaults to the provider's own. */
export interface ProviderSettings {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

export type ProviderVariable = `${string}_BASE_URL` | `${string}_API_KEY`;

/** The names of the variables of a provider. */
export function variablesOf(provider: ModelProvider): { baseUrl: ProviderVariable; apiKey: ProviderVariable } {
  const prefix = environmentName(provider);
  return { baseUrl: `${prefix}_BASE_URL`, apiKey: `${prefix}_API_KEY` };
}

/** `my-provider` as `MY_PROVIDER`: the prefix of its variables, and its value in enums. */
export function environmentName(provider: string): string {
  return provider.toUpperCase().replaceAll('-', '_');
}
