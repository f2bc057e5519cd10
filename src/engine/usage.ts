import { Decimal } from 'decimal.js';

/**
 * Why a model ended its answer: `stop` complete, `length` cut at the maximum number of tokens, `content_filter` cut or
 * withheld by a filter, `tool_calls` requests tool calls, `other` any other reason of the provider.
 */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other';

/**
 * Usage of one provider call. `costUsd` is an exact decimal text in US dollars; null: the price of the model is
 * unknown.
 */
export interface Usage {
  provider: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  costUsd: string | null;
  /**
   * True if the call was paid with a provider key of the project. Absent: with a key of the service, or the call was
   * free.
   */
  isOwn?: true;
  /** Present: the answer came from the cache, and the call that was not made cost this many US dollars, an exact decimal text. */
  savedUsd?: string;
  /** Absent: the provider reported none. */
  finishReason?: FinishReason;
}

/** Decimal numbers with enough digits that no sum of costs and no product of a price and a token count is rounded. */
export const Exact = Decimal.clone({ precision: 60 });

/** Adds a cost, an exact decimal text in US dollars, to a sum. */
export function addCosts(sum: string, costUsd = '0'): string {
  return new Exact(sum).plus(costUsd).toFixed();
}
