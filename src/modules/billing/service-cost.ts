import type { Usage } from '../../engine/ports.js';
import { sum } from '../../platform/money/money.js';

/**
 * Returns the cost in US dollars of calls that were paid with provider keys of the service. Undefined: no such
 * cost.
 */
export function serviceCostOf(usages: readonly Usage[]): string | undefined {
  const costs = usages.flatMap(({ costUsd, isOwn }) => (costUsd === null || isOwn ? [] : [costUsd]));
  const total = sum(costs);
  return total === '0' ? undefined : total;
}

/** Returns the reason of a ledger row for a call of unknown price. Empty if the price is known. */
export function reasonOf(usage: Usage): string {
  return usage.costUsd === null ? `Not charged, because the price is unknown: ${usage.model}.` : '';
}
