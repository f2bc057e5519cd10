import type { Usage } from '../../engine/ports.js';
import { sum } from '../../platform/money/money.js';

/** What calls cost that were paid with provider keys of the service, in US dollars; undefined: nothing. */
export function serviceCostOf(usages: readonly Usage[]): string | undefined {
  const costs = usages.flatMap(({ costUsd, isOwn }) => (costUsd === null || isOwn ? [] : [costUsd]));
  const total = sum(costs);
  return total === '0' ? undefined : total;
}

/** The reason of a ledger row whose call has no known price; empty otherwise. */
export function reasonOf(usage: Usage): string {
  return usage.costUsd === null ? `The price of ${usage.model} is unknown: charged nothing.` : '';
}
