import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';

/** Enough digits that no product of a price and a token count is ever rounded. */
const Exact = Decimal.clone({ precision: 60 });

export interface TokenUse {
  /** Provider name, as in `provider/model`. */
  provider: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  /** Address of the upstream: tells whose prices hold behind an OpenAI-compatible one. */
  baseUrl?: string;
}

type PriceTable = typeof import('@pydantic/genai-prices');
let table: Promise<PriceTable> | undefined;

const MILLIONTH = new Exact('0.000001');

/** Longer names of models are none. */
const MAX_KEY = 1_000;

/** What was looked up, for a while: a table may have prices from a day on. */
const known = new LRUCache<string, { prices: Prices | undefined }>({ max: 1_000, ttl: 3_600_000 });

/** What the call cost in USD as an exact decimal text; null: the table does not know the model. */
export async function costOf(use: TokenUse): Promise<string | null> {
  // 45 ms and 20 MB to load: a process that calls no model goes without.
  table ??= import('@pydantic/genai-prices');
  const prices = knownPrices(await table, use);
  if (!prices) return null;
  const input = perMillion(prices.input_mtok, use.promptTokens).times(use.promptTokens);
  const output = perMillion(prices.output_mtok, use.promptTokens).times(use.completionTokens);
  return input.plus(output).times(MILLIONTH).toFixed();
}

type Prices = NonNullable<ReturnType<PriceTable['calcPrice']>>['model_price'];

function knownPrices(table: PriceTable, use: TokenUse): Prices | undefined {
  const key = JSON.stringify([use.provider, use.model, use.baseUrl]);
  const found = known.get(key);
  if (found) return found.prices;
  const prices = findPrices(table, use);
  if (key.length <= MAX_KEY) known.set(key, { prices });
  return prices;
}

/** The upstream's own price where it is a known seller, else its provider's, else the model maker's. */
function findPrices({ calcPrice, findProvider }: PriceTable, use: TokenUse): Prices | undefined {
  const usage = { input_tokens: use.promptTokens, output_tokens: use.completionTokens };
  const sellers = [
    use.baseUrl === undefined ? undefined : findProvider({ providerApiUrl: use.baseUrl }),
    findProvider({ providerId: use.provider }),
    findProvider({ modelId: use.model }),
  ];
  for (const provider of sellers) {
    const found = provider && calcPrice(usage, use.model, { provider });
    if (found && (found.model_price.input_mtok !== undefined || found.model_price.output_mtok !== undefined))
      return found.model_price;
  }
  return undefined;
}

/** Some models cost more per token from a prompt length on, for the whole call. */
function perMillion(price: Prices[string], promptTokens: number): Decimal {
  if (price === undefined) return new Exact(0);
  if (typeof price === 'number') return new Exact(price);
  const tier = price.tiers.filter(({ start }) => promptTokens > start).at(-1);
  return new Exact(tier?.price ?? price.base);
}
