/**
 * The model providers. Each has the variables `<NAME>_BASE_URL` and `<NAME>_API_KEY` and a folder in
 * `src/providers/llm`. The first configured provider serves requests that name no model.
 */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;

export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Address and key of a provider. One of the two is enough: the default address is the provider's public API. */
export interface ProviderSettings {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

export type ProviderVariable = `${string}_BASE_URL` | `${string}_API_KEY`;

/** Returns the names of the variables of a provider. */
export function variablesOf(provider: ModelProvider): { baseUrl: ProviderVariable; apiKey: ProviderVariable } {
  const prefix = environmentName(provider);
  return { baseUrl: `${prefix}_BASE_URL`, apiKey: `${prefix}_API_KEY` };
}

/** Converts `my-provider` to `MY_PROVIDER`: the prefix of its variables and its enum value. */
export function environmentName(provider: string): string {
  return provider.toUpperCase().replaceAll('-', '_');
}
