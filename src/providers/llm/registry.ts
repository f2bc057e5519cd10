import { LRUCache } from 'lru-cache';
import { answerTokens, type ModelParameterName } from '../../engine/model-parameters.js';
import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';
import { MODEL_PROVIDERS, type ModelProvider, type ProviderSettings } from '../../platform/config/model-providers.js';
import { SlotGauge } from '../../platform/metrics/slot-gauge.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { withoutTrailingSlashes } from '../../platform/requests/trailing-slashes.js';
import { FairQueue } from '../../platform/scheduling/fair-queue.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import { costOf } from '../prices.js';
import { PROVIDER_PROTOCOLS } from './all.js';
import type { TokenCounts } from './chat/chat-format.js';
import type { ProviderProtocol } from './chat/provider-protocol.js';
import { echo } from './echo.js';
import { assumedTokens } from './endpoints/media.js';
import { estimateRequestTokens } from './estimate-tokens.js';
import { ModelRouter, type Route } from './model-router.js';
import { observedProvider } from './observed-provider.js';
import type { Provider } from './provider.js';
import { createUpstreamProvider } from './upstream-provider.js';
import type { RetryPolicy } from './with-retries.js';

/** The settings of each configured provider by its name, and shared options. `openai` is the default upstream. */
export interface LanguageModelsOptions extends Partial<Record<ModelProvider, ProviderSettings>> {
  /** The client for addresses of the configuration, created with `trusted: true`. */
  outbound: Outbound;
  /** The client for addresses of users. Without it, keys with an address of their own are ignored. */
  guarded?: Outbound;
  /** Retries for nodes and messages. Default: one attempt. */
  retry?: RetryPolicy;
  /** Concurrent calls of each provider for nodes and messages. Default: 64. */
  concurrency?: number;
  /** Concurrent calls of one project for nodes and messages. Default: 7/8 of `concurrency`, or all of it below four. */
  projectConcurrency?: number | undefined;
  /** Concurrent calls of each provider for the chat proxy, including open streams. Default: 2,000. */
  chatConcurrency?: number;
  /** Count used slots and waiting calls. Default: gauges that are not read. */
  gauges?: Gauges;
  /** Receives metrics and traces of the calls. Default: none. */
  telemetry?: Telemetry;
}

/** A provider key of a project. Without a base URL it uses that of the service or the public one of the provider. */
export interface OwnKey {
  id: number;
  provider: ModelProvider;
  apiKey: string;
  baseUrl: string | null;
}

export interface ListedModel {
  provider: string;
  model: string;
  /** The model name for requests: `provider/model` if the bare name selects another provider. */
  id: string;
}

/** The models of the service, or those of a project with its provider keys. */
export interface LanguageModels {
  /** Calls a model for a node or message. `projectId` determines the share of slots. Default: a share for calls without a project. */
  complete(request: ModelRequest, call: CallContext, projectId?: number): Promise<ModelAnswer>;
  /** Whether an upstream serves calls without a model. Otherwise the built-in `echo` does. */
  hasUpstream: boolean;
  /** Whether a provider serves these names. Missing names get defaults. */
  serves(provider: string | undefined, model: string | undefined): boolean;
  /** The parameters of nodes and messages that the provider of these names cannot express. */
  refusedParameters(provider: string | undefined, model: string | undefined): readonly ModelParameterName[];
  /** The provider and model for a model name of a chat request; undefined if no provider serves it. */
  route(model: string): Route | undefined;
  /** The cost in US dollars, as an exact decimal string; null if the price is unknown. */
  cost(route: Route, used: TokenCounts): string | null | Promise<string | null>;
  /**
   * The maximum expected cost in US dollars, as an exact decimal string, of the counted prompt and a response of `max_tokens` (default
   * 4096). `"0"` if the price is unknown, because such calls are not charged.
   */
  estimate(request: ModelRequest): Promise<string>;
  /** Whether the call uses a provider key of the service. */
  needsServiceKey(request: ModelRequest): boolean;
  /** Lists the models of all upstreams. Upstreams that fail or do not respond within 10 s are left out. */
  models(signal: AbortSignal): Promise<ListedModel[]>;
  /** Lists the models of one provider. Throws a PortError if that fails. */
  modelsOf(provider: string, signal: AbortSignal): Promise<string[]>;
  /** Returns models that prefer a project's keys to those of the service. The first key of each provider counts. */
  withKeys(keys: readonly OwnKey[]): LanguageModels;
}

/** Assumed tokens of a response without a limit. */
export const ASSUMED_ANSWER_TOKENS = 4096;
/** The maximum duration of a list of models. */
const LISTING_MS = 10_000;
/** Maximum listed models of one provider. */
const MAX_LISTED = 1_000;
/** The number of provider keys of projects whose slots are kept. */
const MAX_KEY_QUEUES = 1_000;
const DEFAULT_CONCURRENCY = 64;
const DEFAULT_CHAT_CONCURRENCY = 2_000;
/** The share of slots for calls without a project. */
const NO_PROJECT = 0;

/** Creates the models of the service: those of each provider with an address or a key in `options`, and `echo`. */
export function createLanguageModels(options: LanguageModelsOptions): LanguageModels {
  const { outbound, guarded, retry = { tries: 1, baseMs: 0 }, telemetry } = options;
  const observed = (provider: Provider) => (telemetry ? observedProvider(provider, telemetry) : provider);
  const ofService = MODEL_PROVIDERS.flatMap(name => {
    const { baseUrl, apiKey } = options[name] ?? {};
    if (!baseUrl && !apiKey) return [];
    const upstream = { baseUrl: addressOf(name, baseUrl), apiKey, outbound };
    const queues = queuesFor(options);
    return observed(
      createUpstreamProvider({ protocol: PROVIDER_PROTOCOLS[name], upstream, isOwn: false, retry, ...queues }),
    );
  });

  const queuesOfKeys = new LRUCache<number, Queues>({ max: MAX_KEY_QUEUES });
  const queuesOf = (id: number) => {
    const queues = queuesOfKeys.get(id) ?? queuesForKey(options);
    queuesOfKeys.set(id, queues);
    return queues;
  };
  const ofKey = ({ id, provider, apiKey, baseUrl }: OwnKey): Provider[] => {
    // Another release may have stored the key, for a provider that this one does not have.
    if (!Object.hasOwn(PROVIDER_PROTOCOLS, provider)) return [];
    const isOwnAddress = baseUrl !== null && baseUrl !== '';
    if (isOwnAddress && !guarded) return [];
    const upstream = isOwnAddress
      ? { baseUrl: addressOf(provider, baseUrl), apiKey, outbound: guarded! }
      : { baseUrl: addressOf(provider, options[provider]?.baseUrl), apiKey, outbound };
    const queues = queuesOf(id);
    return [
      observed(
        createUpstreamProvider({ protocol: PROVIDER_PROTOCOLS[provider], upstream, isOwn: true, retry, ...queues }),
      ),
    ];
  };

  const modelsOf = (own: readonly Provider[]): LanguageModels => {
    const named = new Map<string, Provider>();
    for (const provider of [...own, ...ofService]) if (!named.has(provider.name)) named.set(provider.name, provider);
    return createModels(new ModelRouter([echo, ...named.values()]), keys => modelsOf(keys.flatMap(ofKey)));
  };
  return modelsOf([]);
}

interface Gauges {
  model: SlotGauge;
  chat: SlotGauge;
}

interface Queues {
  slots: FairQueue;
  chatSlots: FairQueue;
}

/**
 * The slots of a provider of the service. A project can use at most 7/8 of the slots, and a caller of the chat proxy 3/4. At most 1/8 of
 * the number of chat slots may wait per caller, so that one caller cannot use all slots and waiting places.
 */
function queuesFor({
  concurrency = DEFAULT_CONCURRENCY,
  projectConcurrency,
  ...options
}: LanguageModelsOptions): Queues {
  const { chatConcurrency = DEFAULT_CHAT_CONCURRENCY, gauges = createGauges() } = options;
  const reserved = concurrency < 4 ? 0 : Math.max(1, Math.floor(concurrency / 8));
  const limit = projectConcurrency ?? concurrency - reserved;
  const chatLimit = chatConcurrency - Math.floor(chatConcurrency / 4);
  const maxWaiting = Math.max(1, Math.floor(chatConcurrency / 8));
  return {
    slots: new FairQueue({ slots: concurrency, limit, share: Math.ceil(concurrency / 2), gauge: gauges.model }),
    chatSlots: new FairQueue({ slots: chatConcurrency, limit: chatLimit, maxWaiting, gauge: gauges.chat }),
  };
}

/** The slots of a provider key of a project. No other project uses them. */
function queuesForKey(options: LanguageModelsOptions): Queues {
  const {
    concurrency = DEFAULT_CONCURRENCY,
    chatConcurrency = DEFAULT_CHAT_CONCURRENCY,
    gauges = createGauges(),
  } = options;
  const maxWaiting = Math.max(1, Math.floor(chatConcurrency / 8));
  const chatLimit = chatConcurrency - Math.floor(chatConcurrency / 4);
  return {
    slots: new FairQueue({ slots: concurrency, gauge: gauges.model }),
    chatSlots: new FairQueue({ slots: chatLimit, maxWaiting, gauge: gauges.chat }),
  };
}

function createGauges(): Gauges {
  return { model: new SlotGauge('model'), chat: new SlotGauge('chat') };
}

function createModels(router: ModelRouter, withKeys: LanguageModels['withKeys']): LanguageModels {
  const cost: LanguageModels['cost'] = ({ provider, model }, used) => {
    if (provider === echo) return '0';
    const { name, seller = name, baseUrl } = provider;
    return costOf({ provider: seller, model, ...used, baseUrl });
  };
  return {
    hasUpstream: router.find(undefined, undefined)?.provider !== echo,
    serves: (provider, model) => router.find(provider, model) !== undefined,
    refusedParameters: (provider, model) => router.find(provider, model)?.provider.refusedParameters ?? [],
    route: model => router.find(undefined, model),
    cost,
    withKeys,

    complete(request, call, projectId = NO_PROJECT) {
      const route = router.find(request.provider, request.settings.model_name);
      if (route) return route.provider.complete(route.model, request, call, projectId);
      return Promise.reject(router.notServed(request.provider));
    },

    async estimate(request) {
      const route = router.find(request.provider, request.settings.model_name);
      if (!route) return '0';
      const counted = estimateRequestTokens(request);
      if (request.media) {
        const { promptTokens, completionTokens } = assumedTokens(request);
        return (await cost(route, { promptTokens: counted + promptTokens, completionTokens })) ?? '0';
      }
      const completionTokens = answerTokens(request.settings) ?? ASSUMED_ANSWER_TOKENS;
      return (await cost(route, { promptTokens: counted, completionTokens })) ?? '0';
    },

    needsServiceKey(request) {
      const route = router.find(request.provider, request.settings.model_name);
      return route !== undefined && usesServiceKey(route);
    },

    async modelsOf(name, signal) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)]);
      const provider = router.providers.find(one => one.name === name);
      if (!provider) throw router.notServed(name);
      return provider.models(within);
    },

    async models(signal) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)]);
      const lists = router.providers.map(async provider => {
        const listed = await provider.models(within).catch(() => []);
        return listed
          .slice(0, MAX_LISTED)
          .map(model => ({ provider: provider.name, model, id: router.nameOf(provider, model) }));
      });
      return (await Promise.all(lists)).flat();
    },
  };
}

/** Whether calls by this route use a provider key of the service. The built-in model needs no key. */
export function usesServiceKey({ provider }: Route): boolean {
  return provider !== echo && provider.isOwn !== true;
}

/** Appends the default API version of the provider to a base URL without one. */
function addressOf(name: ModelProvider, configuredUrl: string | undefined): string {
  const { ownUrl, usesAnyAddress }: ProviderProtocol = PROVIDER_PROTOCOLS[name];
  const address = withoutTrailingSlashes(configuredUrl || ownUrl);
  if (usesAnyAddress || /\/v\d+(?:(?:beta|alpha)\d*)?$/.test(address)) return address;
  return `${address}${new URL(ownUrl).pathname}`;
}
