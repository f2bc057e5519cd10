import type { Outbound } from '../../base/outbound.js';
import { type LanguageModel, type ModelRequest, PortError } from '../../engine/ports.js';
import { costOf } from '../prices.js';
import { countRequestTokens } from './count-tokens.js';
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
  /** Whether there is an upstream to answer a call that names no model; else the built-in `echo` does. */
  hasUpstream: boolean;
  /** Whether a call with these names finds a provider; absent names are chosen here. */
  serves(provider: string | undefined, model: string | undefined): boolean;
  /**
   * The most that a call should cost, in US dollars as an exact decimal text: the counted prompt and an answer of
   * `max_tokens` (4096 where none is given). `"0"` where no price is known: such a call is charged nothing.
   */
  estimate(request: ModelRequest): Promise<string>;
  /** What can be asked for, as the upstreams list it; one that does not answer is left out. */
  models(signal: AbortSignal): Promise<ListedModel[]>;
}

/** Where requests go when a key is configured and no address. */
export const OPENAI_URL = 'https://api.openai.com/v1';
/** Tokens of an answer whose length the request does not bound. */
const assumedAnswerTokens = 4096;

export function createLanguageModels({ openai, outbound }: LanguageModelsOptions): LanguageModels {
  const upstream =
    openai?.baseUrl || openai?.apiKey
      ? createOpenAi({ baseUrl: openai.baseUrl || OPENAI_URL, apiKey: openai.apiKey, outbound })
      : undefined;
  const router = new ModelRouter([echo, ...(upstream ? [upstream] : [])], upstream);

  return {
    hasUpstream: router.fallback !== undefined,
    serves: (provider, model) => router.find(provider, model) !== undefined,

    complete(request, call) {
      const route = router.find(request.provider, request.settings.model_name);
      if (route) return route.provider.complete(route.model, request, call);
      return Promise.reject(router.notServed(request.provider));
    },

    async estimate(request) {
      const route = router.find(request.provider, request.settings.model_name);
      if (!route || route.provider === echo) return '0';
      const { provider, model } = route;
      const promptTokens = countRequestTokens(request);
      const completionTokens = request.settings.max_tokens ?? assumedAnswerTokens;
      const { name, baseUrl } = provider;
      return (await costOf({ provider: name, model, promptTokens, completionTokens, baseUrl })) ?? '0';
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
