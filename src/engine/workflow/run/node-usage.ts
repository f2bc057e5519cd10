import { addCosts, type FinishReason, type Usage } from '../../usage.js';

/** Total model usage of a node, over all attempts and steps. */
export interface NodeUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Exact decimal text in US dollars; null: the price of a model is unknown. */
  cost_usd: string | null;
  /** Why the model ended its last answer. Absent: the provider did not report it. */
  finish_reason?: FinishReason;
  /** What answers from the cache saved, an exact decimal text in US dollars. Absent: no answer came from the cache. */
  saved_usd?: string;
}

/** Adds the usage of one call. */
export function addUsage(before: NodeUsage | undefined, usage: Usage): NodeUsage {
  const { prompt_tokens = 0, completion_tokens = 0, cost_usd = '0', saved_usd } = before ?? {};
  const saved = usage.savedUsd === undefined ? saved_usd : addCosts(saved_usd ?? '0', usage.savedUsd);
  const prompt = prompt_tokens + usage.promptTokens;
  const completion = completion_tokens + usage.completionTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(usage.finishReason && { finish_reason: usage.finishReason }),
    ...(saved === undefined ? {} : { saved_usd: saved }),
    cost_usd: cost_usd === null || usage.costUsd === null ? null : addCosts(cost_usd, usage.costUsd),
  };
}

/** Adds up usage; undefined if there is none. */
export function sumUsage(usages: readonly Usage[]): NodeUsage | undefined {
  return usages.reduce<NodeUsage | undefined>(addUsage, undefined);
}
