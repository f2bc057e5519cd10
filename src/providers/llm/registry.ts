import { LRUCache } from 'lru-cache';
import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';
import { MODEL_PROVIDERS, type ModelProvider, type ProviderSettings } from '../../platform/config/model-providers.js';
import type { SlotGauge } from '../../platform/metrics/slot-gauge.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { withoutTrailingSlashes } from '../../platform/requests/trailing-slashes.js';
import { FairQueue, type FairQueueOptions } from '../../platform/scheduling/fair-queue.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import { costOf } from '../prices.js';
import { PROVIDER_PROTOCOLS } from './all.js';
import type { TokenCounts } from './chat/chat-format.js';
import type { ProviderProtocol } from './chat/provider-protocol.js';
import { countRequestTokens } from './count-tokens.js';
import { echo } from './echo.js';
import { ModelRouter, type Route } from './model-router.js';
import type { Provider } from './provider.js';
import { createUpstreamProvider } from './upstream-provider.js';
import { watchedProvider } from './watched-provider.js';
import type { RetryPolicy } from './with-retries.js';

/** The settings of each configured provider, by its name, and what all of them share. `openai` is the default upstream. */
export interface LanguageModelsOptions extends Partial<Record<ModelProvider, ProviderSettings>> {
  /** Reaches what the operator configured: an outbound client made with `trusted: true`. */
  outbound: Outbound;
  /** Reaches what users name. Without it their addresses are not called. */
  guarded?: Outbound;
  /** Of calls for nodes and messages. Default: one try. */
  retry?: RetryPolicy;
  /** Calls for nodes and messages that each provider answers at the same time. Default 64. */
  concurrency?: number;
  /** Of these, the calls of one project. Default: seven of eight, all where there are fewer than four. */
  projectConcurrency?: number | undefined;
  /** Calls of the chat proxy that each provider answers at the same time, streams until they end. Default 2,000. */
  chatConcurrency?: number;
  /** Count what is held and waits. Default: nothing is counted. */
  gauges?: { model: SlotGauge; chat: SlotGauge };
  /** What calls are told to. Default: nobody hears of them. */
  telemetry?: Telemetry;
}

/** A key of a project's own. Without an address it is for the one that the service has, or the provider's own. */
export interface OwnKey {
  id: number;
  provider: ModelProvider;
  apiKey: string;
  baseUrl: string | null;
}

export interface ListedModel {
  provider: string;
  model: string;
  /** What to ask for: the model's name, behind the provider's where the name alone leads elsewhere. */
  id: string;
}

export interface LanguageModels {
  /** `projectId`: whose turn is waited for where all slots of the provider are held. Default: that of no project. */
  complete(request: ModelRequest, call: CallContext, projectId?: number): Promise<ModelAnswer>;
  /** Whether there is an upstream to answer a call that names no model; else the built-in `echo` does. */
  hasUpstream: boolean;
  /** Whether a call with these names finds a provider; absent names are chosen here. */
  serves(provider: string | undefined, model: string | undefined): boolean;
  /** Where a model is asked for by a chat client; undefined: nowhere. */
  route(model: string): Route | undefined;
  /** Exact US dollars; null: the price of the model is unknown. */
  cost(route: Route, used: TokenCounts): string | null | Promise<string | null>;
  /**
   * The most that a call should cost, in US dollars as an exact decimal text: the counted prompt and an answer of
   * `max_tokens` (4096 where none is given). `"0"` where no price is known: such a call is charged nothing.
   */
  estimate(request: ModelRequest): Promise<string>;
  /** Whether a call is answered with a provider key of the service. */
  needsServiceKey(request: ModelRequest): boolean;
  /** What can be asked for, as the upstreams list it; one that does not answer in time is left out. */
  models(signal: AbortSignal): Promise<ListedModel[]>;
  /** Names of the models that one provider lists. Throws the PortError of what went wrong. */
  modelsOf(provider: string, signal: AbortSignal): Promise<string[]>;
  /** The same models with a project's keys before those of the service: the first key of each provider counts. */
  withKeys(keys: readonly OwnKey[]): LanguageModels;
}

/** Tokens of an answer whose length the request does not bound. */
export const ASSUMED_ANSWER_TOKENS = 4096;
const LISTING_MS = 10_000;
/** Models of one provider that are listed. */
const MAX_LISTED = 1_000;
const MAX_KEYS_AT_WORK = 1_000;
const DEFAULT_CONCURRENCY = 64;
const DEFAULT_CHAT_CONCURRENCY = 2_000;
const NO_PROJECT = 0;

export function createLanguageModels(options: LanguageModelsOptions): LanguageModels {
  const { outbound, guarded, retry = { tries: 1, baseMs: 0 }, telemetry } = options;
  const watched = (provider: Provider) => (telemetry ? watchedProvider(provider, telemetry) : provider);
  const ofService = MODEL_PROVIDERS.flatMap(name => {
    const { baseUrl, apiKey } = options[name] ?? {};
    if (!baseUrl && !apiKey) return [];
    const upstream = { baseUrl: addressOf(name, baseUrl), apiKey, outbound };
    const queues = queuesFor(options);
    return watched(
      createUpstreamProvider({ protocol: PROVIDER_PROTOCOLS[name], upstream, isOwn: false, retry, ...queues }),
    );
  });

  const queuesOfKeys = new LRUCache<number, Queues>({ max: MAX_KEYS_AT_WORK });
  const queuesOf = (id: number) => {
    const queues = queuesOfKeys.get(id) ?? queuesForKey(options);
    queuesOfKeys.set(id, queues);
    return queues;
  };
  const ofKey = ({ id, provider, apiKey, baseUrl }: OwnKey): Provider[] => {
    // The key of a provider that only another release knows.
    if (!Object.hasOwn(PROVIDER_PROTOCOLS, provider)) return [];
    const isOwnAddress = baseUrl !== null && baseUrl !== '';
    if (isOwnAddress && !guarded) return [];
    const upstream = isOwnAddress
      ? { baseUrl: addressOf(provider, baseUrl), apiKey, outbound: guarded! }
      : { baseUrl: addressOf(provider, options[provider]?.baseUrl), apiKey, outbound };
    const queues = queuesOf(id);
    return [
      watched(
        createUpstreamProvider({ protocol: PROVIDER_PROTOCOLS[provider], upstream, isOwn: true, retry, ...queues }),
      ),
    ];
  };

  const modelsOf = (own: readonly Provider[]): LanguageModels => {
    const named = new Map<string, Provider>();
    for (const provider of [...own, ...ofService]) if (!named.has(provider.name)) named.set(provider.name, provider);
    return modelsBehind(new ModelRouter([echo, ...named.values()]), keys => modelsOf(keys.flatMap(ofKey)));
  };
  return modelsOf([]);
}

interface Queues {
  slots: FairQueue;
  chatSlots: FairQueue;
}

/**
 * The slots of a provider of the service. One project leaves some to others at any time; one caller of the chat proxy leaves
 * a quarter, and those of its calls that wait are so few that they and the held ones do not fill the process.
 */
function queuesFor({
  concurrency = DEFAULT_CONCURRENCY,
  projectConcurrency,
  ...options
}: LanguageModelsOptions): Queues {
  const { chatConcurrency = DEFAULT_CHAT_CONCURRENCY, gauges } = options;
  const kept = concurrency < 4 ? 0 : Math.max(1, Math.floor(concurrency / 8));
  const limit = projectConcurrency ?? concurrency - kept;
  const chatLimit = chatConcurrency - Math.floor(chatConcurrency / 4);
  const maxWaiting = Math.max(1, Math.floor(chatConcurrency / 8));
  return {
    slots: queue({ slots: concurrency, limit, share: Math.ceil(concurrency / 2) }, gauges?.model),
    chatSlots: queue({ slots: chatConcurrency, limit: chatLimit, maxWaiting }, gauges?.chat),
  };
}

/** The slots of a project's own key: nobody else waits for them. */
function queuesForKey(options: LanguageModelsOptions): Queues {
  const { concurrency = DEFAULT_CONCURRENCY, chatConcurrency = DEFAULT_CHAT_CONCURRENCY, gauges } = options;
  const maxWaiting = Math.max(1, Math.floor(chatConcurrency / 8));
  const chatLimit = chatConcurrency - Math.floor(chatConcurrency / 4);
  return {
    slots: queue({ slots: concurrency }, gauges?.model),
    chatSlots: queue({ slots: chatLimit, maxWaiting }, gauges?.chat),
  };
}

function queue(options: FairQueueOptions, gauge: SlotGauge | undefined): FairQueue {
  return new FairQueue(gauge ? { ...options, gauge } : options);
}

function modelsBehind(router: ModelRouter, withKeys: LanguageModels['withKeys']): LanguageModels {
  const cost: LanguageModels['cost'] = ({ provider, model }, used) => {
    if (provider === echo) return '0';
    const { name, seller = name, baseUrl } = provider;
    return costOf({ provider: seller, model, ...used, baseUrl });
  };
  return {
    hasUpstream: router.find(undefined, undefined)?.provider !== echo,
    serves: (provider, model) => router.find(provider, model) !== undefined,
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
      const promptTokens = countRequestTokens(request);
      const completionTokens = request.settings.max_tokens ?? ASSUMED_ANSWER_TOKENS;
      return (await cost(route, { promptTokens, completionTokens })) ?? '0';
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

/** Whether a provider key of the service pays for calls by this route; the built-in models need no key. */
export function usesServiceKey({ provider }: Route): boolean {
  return provider !== echo && provider.isOwn !== true;
}

/** Each provider's address ends in the version of its interface; where that is left out it is the known one. */
function addressOf(name: ModelProvider, given: string | undefined): string {
  const { ownUrl, usesAnyAddress }: ProviderProtocol = PROVIDER_PROTOCOLS[name];
  const address = withoutTrailingSlashes(given || ownUrl);
  if (usesAnyAddress || /\/v\d+(?:(?:beta|alpha)\d*)?$/.test(address)) return address;
  return `${address}${new URL(ownUrl).pathname}`;
}
