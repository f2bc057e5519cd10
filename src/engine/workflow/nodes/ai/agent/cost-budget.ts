import { PortError } from '../../../../ports.js';
import { addCosts } from '../../../../usage.js';

/** The budget of an agent for its model calls. */
export class CostBudget {
  #costUsd = '0';

  constructor(private readonly maxCostUsd: number | null | undefined) {}

  get isLimited(): boolean {
    return typeof this.maxCostUsd === 'number';
  }

  add(costUsd: string | undefined): void {
    this.#costUsd = addCosts(this.#costUsd, costUsd);
  }

  /** Throws the PortError `max_cost_reached` if the calls so far reached the budget. */
  assertRemaining(): void {
    if (typeof this.maxCostUsd !== 'number' || Number(this.#costUsd) < this.maxCostUsd) return;
    const message = `the model calls cost ${this.#costUsd} US dollars; max_cost_usd is ${this.maxCostUsd}`;
    throw new PortError('max_cost_reached', message);
  }
}
