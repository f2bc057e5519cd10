import { PortError } from '../../engine/ports.js';
import { echo } from './echo.js';
import { openai } from './openai/index.js';
import type { Provider } from './provider.js';

/** A provider and the provider's name of a model. */
export interface Route {
  provider: Provider;
  model: string;
}

/**
 * Selects the provider of a model:
 * 1. the named provider;
 * 2. the prefix of `provider/model` (an unknown prefix is part of the model name);
 * 3. the provider that knows the model;
 * 4. the OpenAI-compatible upstream, for any model.
 * Without names it selects the default model of the first upstream, or `echo` without an upstream.
 */
export class ModelRouter {
  readonly #fallback: Provider | undefined;

  constructor(readonly providers: readonly Provider[]) {
    this.#fallback = providers.find(({ name }) => name === openai.name);
  }

  find(providerName: string | undefined, modelName: string | undefined): Route | undefined {
    if (!modelName) {
      const first = this.#fallback ?? this.providers.find(provider => provider !== echo) ?? echo;
      const provider = providerName ? this.#named(providerName) : first;
      return provider && { provider, model: provider.defaultModel };
    }
    if (providerName) return this.#within(this.#named(providerName), modelName);
    const slash = modelName.indexOf('/');
    const prefixed = slash > 0 ? this.#named(modelName.slice(0, slash)) : undefined;
    if (prefixed) return this.#within(prefixed, modelName);
    const provider = this.providers.find(({ knows }) => knows(modelName)) ?? this.#fallback;
    return provider && { provider, model: modelName };
  }

  /** The name that selects this model of this provider in a chat request. */
  nameOf(provider: Provider, model: string): string {
    const route = this.find(undefined, model);
    return route?.provider === provider && route.model === model ? model : `${provider.name}/${model}`;
  }

  notServed(providerName: string | undefined): PortError {
    const names = this.providers.map(({ name }) => name).join(', ');
    if (providerName && !this.#named(providerName))
      return new PortError('provider_not_configured', `provider must be one of ${names}.`);
    const message = `No configured provider serves this model. Configured providers: ${names}.`;
    return new PortError('model_not_found', message);
  }

  #named(name: string): Provider | undefined {
    return this.providers.find(provider => provider.name === name);
  }

  /** Removes the provider's prefix. The built-in provider accepts only its own model; upstreams accept any. */
  #within(provider: Provider | undefined, modelName: string): Route | undefined {
    if (!provider) return undefined;
    const prefix = `${provider.name}/`;
    const model = modelName.startsWith(prefix) ? modelName.slice(prefix.length) : modelName;
    if (model === '' || (provider === echo && !echo.knows(model))) return undefined;
    return { provider, model };
  }
}
