import { Decimal } from 'decimal.js';
import type { Usage } from '../../ports.js';

/** Enough digits that no sum of costs is ever rounded. */
const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

/** What the models that a node asked have used, over all its tries and steps. */
export interface NodeUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** US dollars as an exact decimal text; null: the price of a model is unknown. */
  cost_usd: string | null;
}

export function addUsage(before: NodeUsage | undefined, usage: Usage): NodeUsage {
  const { prompt_tokens = 0, completion_tokens = 0, cost_usd = '0' } = before ?? {};
  const prompt = prompt_tokens + usage.promptTokens;
  const completion = completion_tokens + usage.completionTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cost_usd: cost_usd === null || usage.costUsd === null ? null : new Exact(cost_usd).plus(usage.costUsd).toFixed(),
  };
}

/** Undefined when no model was asked. */
export function sumUsage(usages: readonly Usage[]): NodeUsage | undefined {
  return usages.reduce<NodeUsage | undefined>(addUsage, undefined);
}
