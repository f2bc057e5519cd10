import { isBetween } from '../../platform/money/money.js';
import type { TokenCounts } from '../../providers/llm/chat/chat-format.js';
import type { Route } from '../../providers/llm/model-router.js';
import { type LanguageModels, usesServiceKey } from '../../providers/llm/registry.js';

/** Returns the cost in US dollars of the most expensive route. Routes without a known price cost nothing. */
export async function maximumCost(
  models: LanguageModels,
  routes: readonly Route[],
  expected: TokenCounts,
): Promise<string> {
  const costs = await Promise.all(routes.map(async route => (await models.cost(route, expected)) ?? '0'));
  return costs.reduce((highest, cost) => (isBetween(cost, '0', highest) ? highest : cost), '0');
}

/**
 * Returns the smaller sets of routes to try, in order, when a limit does not permit all of them: those that cost at most as much as
 * the requested model, those without a provider key of the service if the requested model uses none, and those of both sets.
 */
export async function fewerRoutes(
  models: LanguageModels,
  [requested, ...fallbacks]: readonly [Route, ...Route[]],
  expected: TokenCounts,
): Promise<Route[][]> {
  const highest = await maximumCost(models, [requested], expected);
  const costs = await Promise.all(fallbacks.map(route => maximumCost(models, [route], expected)));
  const affordable = [requested, ...fallbacks.filter((_, index) => isBetween(costs[index]!, '0', highest))];
  const withoutService = (routes: readonly Route[]) =>
    usesServiceKey(requested) ? [] : routes.filter(route => !usesServiceKey(route));
  const sets = [affordable, withoutService([requested, ...fallbacks]), withoutService(affordable)];
  return sets.filter(routes => routes.length > 0 && routes.length <= fallbacks.length);
}
