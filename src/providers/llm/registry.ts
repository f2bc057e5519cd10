import type { Outbound } from '../../base/outbound.js';
import { type LanguageModel, PortError } from '../../engine/ports.js';
import { echo } from './echo.js';
import { createOpenAi } from './openai.js';
import type { Provider } from './provider.js';

export interface LanguageModelsOptions {
  /** The default upstream, OpenAI-compatible. One of the two is enough: the address defaults to OpenAI's own. */
  openai?: { baseUrl?: string; apiKey?: string };
  /** Reaches what the operator configured: an outbound client made with `trusted: true`. */
  outbound: Outbound;
}

export interface ListedModel {
  provider: string;
  model: string;
}

export interface LanguageModels extends LanguageModel {
  /** Whether a call with these names finds a provider; absent names are chosen here. */
  serves(provider: string | undefined, model: string | undefined): boolean;
  /** What can be asked for, as the upstreams list it; one that does not answer is left out. */
  models(signal: AbortSignal): Promise<ListedModel[]>;
}

const openAiUrl = 'https://api.openai.com/v1';

export function createLanguageModels({ openai, outbound }: LanguageModelsOptions): LanguageModels {
  const upstream =
    openai?.baseUrl || openai?.apiKey
      ? createOpenAi({ baseUrl: openai.baseUrl || openAiUrl, apiKey: openai.apiKey, outbound })
      : undefined;
  const router = new ModelRouter([echo, ...(upstream ? [upstream] : [])], upstream);

  return {
    serves: (provider, model) => router.find(provider, model) !== undefined,

    complete(request, call) {
      const route = router.find(request.provider, request.settings.model_name);
      if (route) return route.provider.complete(route.model, request, call);
      return Promise.reject(router.notServed(request.provider));
    },

    async models(signal) {
      const lists = router.providers.map(async ({ name, models }) =>
        (await models(signal).catch(() => [])).map(model => ({ provider: name, model })),
      );
      return (await Promise.all(lists)).flat();
    },
  };
}

interface Route {
  provider: Provider;
  model: string;
}

/**
 * A named provider is asked itself. Else the prefix of `provider/model` names one (an unknown prefix is part of the
 * model's name), else the model is known to belong to one, else the default upstream takes whatever it is called.
 * Without any name the default upstream's default model answers, and `echo` where there is no upstream.
 */
class ModelRouter {
  constructor(
    readonly providers: Provider[],
    readonly fallback: Provider | undefined,
  ) {}

  find(providerName: string | undefined, modelName: string | undefined): Route | undefined {
    if (!modelName) {
      const provider = providerName ? this.#named(providerName) : (this.fallback ?? echo);
      return provider && { provider, model: provider.defaultModel };
    }
    if (providerName) return this.#within(this.#named(providerName), modelName);
    const slash = modelName.indexOf('/');
    const prefixed = slash > 0 ? this.#named(modelName.slice(0, slash)) : undefined;
    if (prefixed) return this.#within(prefixed, modelName);
    const provider = this.providers.find(({ knows }) => knows(modelName)) ?? this.fallback;
    return provider && { provider, model: modelName };
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
