import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { thenSync } from '../platform/async/then-sync.js';

/** Enough digits that no product of a price and a token count is ever rounded. */
const Exact = Decimal.clone({ precision: 60 });

/** What is sold, and who sells it. */
interface PriceQuery {
  /** Provider name, as in `provider/model`. */
  provider: string;
  model: string;
  /** Address of the upstream: tells whose prices hold behind an OpenAI-compatible one. */
  baseUrl?: string | undefined;
}

export interface TokenUse extends PriceQuery {
  /** All of them, those of a cache included. */
  promptTokens: number;
  completionTokens: number;
  /** Of the prompt: what the provider read from its cache. */
  cacheReadTokens?: number;
  /** Of the prompt: what the provider wrote to its cache, where it sells that apart. */
  cacheWriteTokens?: number;
}

type PriceTable = typeof import('@pydantic/genai-prices');
let table: Promise<PriceTable> | undefined;

const MILLIONTH = new Exact('0.000001');
const NOTHING = new Exact(0);

/** Longer names of models are none. */
const MAX_KEY = 1_000;

/** What was looked up. Begun anew after an hour: a table may have prices from a day on. */
const lookedUp = new LRUCache<string, { found: PricedModel | undefined }>({ max: 1_000 });
const ANEW_MS = 3_600_000;
let begunAt = Date.now();
/** What was asked for last, which mostly is what is asked for next: one call asks three times. */
let last: (Required<PriceQuery> & { found: PricedModel | undefined }) | undefined;

/** What the call cost in USD as an exact decimal text; null: the table does not know the model. At once where it was asked before. */
export function costOf(use: TokenUse): string | null | Promise<string | null> {
  return thenSync(findPrice(use), found => priceOf(use, found?.model_price));
}

function priceOf(use: TokenUse, prices: Prices | undefined): string | null {
  if (!prices) return null;
  const { promptTokens, completionTokens, cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = use;
  let sum = NOTHING;
  const add = (price: Price, tokens: number) => {
    if (price !== undefined && tokens > 0) sum = sum.plus(ofToken(price, promptTokens).times(tokens));
  };
  add(prices.input_mtok, promptTokens - read - written);
  add(prices.cache_read_mtok ?? prices.input_mtok, read);
  add(prices.cache_write_mtok ?? prices.input_mtok, written);
  add(prices.output_mtok, completionTokens);
  return sum.toFixed();
}

/** Tells what the table calls the model: of a bounded set, whatever callers write. Null: it does not know it. */
export function onKnownModel(of: PriceQuery, hear: (known: string | null) => void): void {
  void thenSync(findPrice(of), found => hear(found?.model.id ?? null));
}

type PricedModel = NonNullable<ReturnType<PriceTable['calcPrice']>>;
type Prices = PricedModel['model_price'];
type Price = Prices[string];

/** At once what was looked up before. */
function findPrice(of: PriceQuery): PricedModel | undefined | Promise<PricedModel | undefined> {
  if (Date.now() - begunAt > ANEW_MS) {
    lookedUp.clear();
    last = undefined;
    begunAt = Date.now();
  }
  const { provider, baseUrl = '', model } = of;
  if (last && last.model === model && last.baseUrl === baseUrl && last.provider === provider) return last.found;
  const key = `${provider} ${baseUrl.length} ${baseUrl} ${model}`;
  const seen = lookedUp.get(key);
  if (!seen) return loadPrice(of, key);
  last = { provider, baseUrl, model, found: seen.found };
  return seen.found;
}

async function loadPrice(of: PriceQuery, key: string): Promise<PricedModel | undefined> {
  // 45 ms and 20 MB to load: a process that calls no model goes without.
  table ??= import('@pydantic/genai-prices');
  const found = find(await table, of);
  if (key.length <= MAX_KEY) lookedUp.set(key, { found });
  return found;
}

/** The upstream's own price where it is a known seller, else its provider's, else the model maker's. */
function find(
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
    const found = provider && calcPrice(usage, model, { provider });
    if (found && (found.model_price.input_mtok !== undefined || found.model_price.output_mtok !== undefined))
      return found;
  }
  return undefined;
}

/** Prices of a token by those of a million, of which the table has some hundreds. */
const ofTokens = new Map<number, Decimal>();

/** Some models cost more per token from a prompt length on, for the whole call. */
function ofToken(price: NonNullable<Price>, promptTokens: number): Decimal {
  const perMillion = typeof price === 'number' ? price : tierOf(price, promptTokens);
  const known = ofTokens.get(perMillion);
  if (known) return known;
  const exact = new Exact(perMillion).times(MILLIONTH);
  ofTokens.set(perMillion, exact);
  return exact;
}

function tierOf({ base, tiers }: Exclude<NonNullable<Price>, number>, promptTokens: number): number {
  return tiers.filter(({ start }) => promptTokens > start).at(-1)?.price ?? base;
}
