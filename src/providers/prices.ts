import type { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { Exact } from '../engine/usage.js';
import { thenSync } from '../platform/async/then-sync.js';

/** The model whose price is requested, and its seller. */
interface PriceQuery {
  /** Provider name, as in `provider/model`. */
  provider: string;
  model: string;
  /** Address of the upstream. It identifies the seller behind an OpenAI-compatible API. */
  baseUrl?: string | undefined;
}

/** The tokens of a call whose cost is computed. */
export interface TokenUse extends PriceQuery {
  /** All tokens of the prompt, including cached ones. */
  promptTokens: number;
  completionTokens: number;
  /** Tokens of the prompt that the provider read from its cache. */
  cacheReadTokens?: number;
  /** Tokens of the prompt that the provider wrote to its cache, if it charges for them separately. */
  cacheWriteTokens?: number;
}

type PriceTable = typeof import('@pydantic/genai-prices');
let table: Promise<PriceTable> | undefined;

const MILLIONTH = new Exact('0.000001');
const NOTHING = new Exact(0);

/** Results with longer keys are not cached. */
const MAX_KEY = 1_000;

/** Cached results. Cleared hourly, because the table contains prices that start on a date. */
const cache = new LRUCache<string, { priced: PricedModel | undefined }>({ max: 1_000 });
const CACHE_MS = 3_600_000;
let cacheStartedAt = Date.now();
/** The most recent result. One call queries the same price three times. */
let last: (Required<PriceQuery> & { priced: PricedModel | undefined }) | undefined;

/** The cost of a call in US dollars, as an exact decimal string; null if the price is unknown. Synchronous for a cached price. */
export function costOf(use: TokenUse): string | null | Promise<string | null> {
  return thenSync(findPrice(use), priced => priceOf(use, priced?.model_price));
}

function priceOf(use: TokenUse, prices: Prices | undefined): string | null {
  if (!prices) return null;
  const { promptTokens, completionTokens, cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = use;
  let sum = NOTHING;
  const add = (price: Price, tokens: number) => {
    if (price !== undefined && tokens > 0) sum = sum.plus(pricePerToken(price, promptTokens).times(tokens));
  };
  add(prices.input_mtok, promptTokens - read - written);
  add(prices.cache_read_mtok ?? prices.input_mtok, read);
  add(prices.cache_write_mtok ?? prices.input_mtok, written);
  add(prices.output_mtok, completionTokens);
  return sum.toFixed();
}

/**
 * Calls a function with the name of the model in the price table, or null for an unknown model. The names are a bounded
 * set, so that they can be metric labels. Synchronous for a cached price.
 */
export function withModelLabel(query: PriceQuery, callback: (model: string | null) => void): void {
  void thenSync(findPrice(query), priced => callback(priced?.model.id ?? null));
}

type PricedModel = NonNullable<ReturnType<PriceTable['calcPrice']>>;
type Prices = PricedModel['model_price'];
type Price = Prices[string];

/** Finds the price of a model. Synchronous for a cached result. */
function findPrice(query: PriceQuery): PricedModel | undefined | Promise<PricedModel | undefined> {
  if (Date.now() - cacheStartedAt > CACHE_MS) {
    cache.clear();
    last = undefined;
    cacheStartedAt = Date.now();
  }
  const { provider, baseUrl = '', model } = query;
  if (last && last.model === model && last.baseUrl === baseUrl && last.provider === provider) return last.priced;
  const key = `${provider} ${baseUrl.length} ${baseUrl} ${model}`;
  const cached = cache.get(key);
  if (!cached) return loadPrice(query, key);
  last = { provider, baseUrl, model, priced: cached.priced };
  return cached.priced;
}

async function loadPrice(query: PriceQuery, key: string): Promise<PricedModel | undefined> {
  // Loaded on first use, because it takes 45 ms and 20 MB.
  table ??= import('@pydantic/genai-prices');
  const priced = priceIn(await table, query);
  if (key.length <= MAX_KEY) cache.set(key, { priced });
  return priced;
}

/** Looks for the price of the upstream as a seller, then of the provider, then of the maker of the model. */
function priceIn(
  { calcPrice, findProvider }: PriceTable,
  { provider: name, model, baseUrl }: PriceQuery,
): PricedModel | undefined {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const sellers = [
    baseUrl === undefined ? undefined : findProvider({ providerApiUrl: baseUrl }),
    findProvider({ providerId: name }),
    findProvider({ modelId: model }),
  ];
  for (const provider of sellers) {
    const priced = provider && calcPrice(usage, model, { provider });
    if (priced && (priced.model_price.input_mtok !== undefined || priced.model_price.output_mtok !== undefined))
      return priced;
  }
  return undefined;
}

/** Prices per token by prices per million tokens. The table has some hundreds of different prices. */
const pricesPerToken = new Map<number, Decimal>();

/** The price per token. For some models a long prompt raises the price of the whole call. */
function pricePerToken(price: NonNullable<Price>, promptTokens: number): Decimal {
  const perMillion = typeof price === 'number' ? price : tierOf(price, promptTokens);
  const cached = pricesPerToken.get(perMillion);
  if (cached) return cached;
  const exact = new Exact(perMillion).times(MILLIONTH);
  pricesPerToken.set(perMillion, exact);
  return exact;
}

function tierOf({ base, tiers }: Exclude<NonNullable<Price>, number>, promptTokens: number): number {
  return tiers.filter(({ start }) => promptTokens > start).at(-1)?.price ?? base;
}
