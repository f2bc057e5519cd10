import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';

/** Enough digits that no product of a price and a token count is ever rounded. */
const Exact = Decimal.clone({ precision: 60 });

export interface TokenUse {
  /** Provider name, as in `provider/model`. */
  provider: string;
  model: string;
  /** All of them, those of a cache included. */
  promptTokens: number;
  completionTokens: number;
  /** Of the prompt: what the provider read from its cache. */
  cacheReadTokens?: number;
  /** Of the prompt: what the provider wrote to its cache, where it sells that apart. */
  cacheWriteTokens?: number;
  /** Address of the upstream: tells whose prices hold behind an OpenAI-compatible one. */
  baseUrl?: string;
}

type PriceTable = typeof import('@pydantic/genai-prices');
let table: Promise<PriceTable> | undefined;

const MILLIONTH = new Exact('0.000001');
const NOTHING = new Exact(0);

/** Longer names of models are none. */
const MAX_KEY = 1_000;

/** What was looked up, for a while: a table may have prices from a day on. */
const lookedUp = new LRUCache<string, { found: Found | undefined }>({ max: 1_000, ttl: 3_600_000 });

/** What the call cost in USD as an exact decimal text; null: the table does not know the model. */
export async function costOf(use: TokenUse): Promise<string | null> {
  const prices = (await look(use))?.model_price;
  if (!prices) return null;
  const { promptTokens, completionTokens, cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = use;
  const amount = (price: Price, tokens: number) =>
    price === undefined || tokens === 0 ? NOTHING : ofToken(price, promptTokens).times(tokens);
  return amount(prices.input_mtok, promptTokens - read - written)
    .plus(amount(prices.cache_read_mtok ?? prices.input_mtok, read))
    .plus(amount(prices.cache_write_mtok ?? prices.input_mtok, written))
    .plus(amount(prices.output_mtok, completionTokens))
    .toFixed();
}

/** What the table calls the model: of a bounded set, whatever callers write. Null: it does not know it. */
export async function knownModel(use: Omit<TokenUse, 'promptTokens' | 'completionTokens'>): Promise<string | null> {
  return (await look({ ...use, promptTokens: 0, completionTokens: 0 }))?.model.id ?? null;
}

type Found = NonNullable<ReturnType<PriceTable['calcPrice']>>;
type Prices = Found['model_price'];
type Price = Prices[string];

async function look(use: TokenUse): Promise<Found | undefined> {
  const key = JSON.stringify([use.provider, use.model, use.baseUrl]);
  const seen = lookedUp.get(key);
  if (seen) return seen.found;
  // 45 ms and 20 MB to load: a process that calls no model goes without.
  table ??= import('@pydantic/genai-prices');
  const found = find(await table, use);
  if (key.length <= MAX_KEY) lookedUp.set(key, { found });
  return found;
}

/** The upstream's own price where it is a known seller, else its provider's, else the model maker's. */
function find({ calcPrice, findProvider }: PriceTable, use: TokenUse): Found | undefined {
  const usage = { input_tokens: use.promptTokens, output_tokens: use.completionTokens };
  const sellers = [
    use.baseUrl === undefined ? undefined : findProvider({ providerApiUrl: use.baseUrl }),
    findProvider({ providerId: use.provider }),
    findProvider({ modelId: use.model }),
  ];
  for (const provider of sellers) {
    const found = provider && calcPrice(usage, use.model, { provider });
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
