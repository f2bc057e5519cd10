import { addCosts, type Usage } from '../usage.js';

/** Total usage of several calls. */
export interface SpentUsage {
  promptTokens: number;
  completionTokens: number;
  /** Sum of the known costs in US dollars, as exact decimal text. */
  costUsd: string;
  /** False: the price of at least one call is unknown, so `costUsd` is a lower bound. */
  isCostKnown: boolean;
}

/** Usage of no calls. */
export const NOTHING_SPENT: SpentUsage = { promptTokens: 0, completionTokens: 0, costUsd: '0', isCostKnown: true };

/** Converts the usage of one call. */
export function toSpentUsage({ promptTokens, completionTokens, costUsd }: Usage): SpentUsage {
  return { promptTokens, completionTokens, costUsd: costUsd ?? '0', isCostKnown: costUsd !== null };
}

/** Adds up usage exactly. */
export function sumSpent(all: Iterable<SpentUsage>): SpentUsage {
  let { promptTokens, completionTokens, costUsd, isCostKnown } = NOTHING_SPENT;
  for (const spent of all) {
    promptTokens += spent.promptTokens;
    completionTokens += spent.completionTokens;
    costUsd = addCosts(costUsd, spent.costUsd);
    isCostKnown &&= spent.isCostKnown;
  }
  return { promptTokens, completionTokens, costUsd, isCostKnown };
}
