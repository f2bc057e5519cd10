import { Decimal } from 'decimal.js';
import type { Usage } from '../ports.js';

/** Enough digits that no sum of prices is ever rounded. */
const Exact = Decimal.clone({ precision: 60 });

/** What calls used together. */
export interface SpentUsage {
  promptTokens: number;
  completionTokens: number;
  /** Exact decimal text: the sum of the costs that are known. */
  costUsd: string;
  /** False: the price of at least one call is unknown, so that the cost is at least `costUsd`. */
  isCostKnown: boolean;
}

export const nothingSpent: SpentUsage = { promptTokens: 0, completionTokens: 0, costUsd: '0', isCostKnown: true };

export function usageSpent({ promptTokens, completionTokens, costUsd }: Usage): SpentUsage {
  return { promptTokens, completionTokens, costUsd: costUsd ?? '0', isCostKnown: costUsd !== null };
}

export function sumSpent(all: Iterable<SpentUsage>): SpentUsage {
  let { promptTokens, completionTokens, isCostKnown } = nothingSpent;
  let cost = new Exact(0);
  for (const spent of all) {
    promptTokens += spent.promptTokens;
    completionTokens += spent.completionTokens;
    cost = cost.plus(spent.costUsd);
    isCostKnown &&= spent.isCostKnown;
  }
  return { promptTokens, completionTokens, costUsd: cost.toFixed(), isCostKnown };
}
