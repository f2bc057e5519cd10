import { PortError } from '../../engine/ports.js';
import { echo } from './echo.js';
import { openai } from './openai/index.js';
import type { Provider } from './provider.js';

/** A provider, and what it calls the model. */
export interface Route {
  provider: Provider;
  model: string;
}

/**
 * A named provider is asked itself. Else the prefix of `provider/model` names one (an unknown prefix is part of the
 * model's name), else the model is known to belong to one, else the default upstream, which is the OpenAI-compatible one,
 * takes whatever it is called. Without any name the first upstream's default model answers, and `echo` where there is none.
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

  /** The name by which a chat client reaches a provider's model. */
  nameOf(provider: Provider, model: string): string {
    const found = this.find(undefined, model);
    return found?.provider === provider && found.model === model ? model : `${provider.name}/${model}`;
  }

  notServed(providerName: string | undefined): PortError {
    const names = this.providers.map(({ name }) => name).join(', ');
    if (providerName && !this.#named(providerName))
      return new PortError('provider_not_configured', `provider must be one of ${names}.`);
    const only = 'No model provider serves this model. Without a configured provider the only model is echo.';
    return new PortError('model_not_found', only);
  }

  #named(name: string): Provider | undefined {
    return this.providers.find(provider => provider.name === name);
  }

  /** The built-in provider has its own models alone; an upstream decides for itself. */
  #within(provider: Provider | undefined, modelName: string): Route | undefined {
    if (!provider) return undefined;
    const prefix = `${provider.name}/`;
    const model = modelName.startsWith(prefix) ? modelName.slice(prefix.length) : modelName;
    if (model === '' || (provider === echo && !echo.knows(model))) return undefined;
    return { provider, model };
  }
}
