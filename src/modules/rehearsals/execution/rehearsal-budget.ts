import { PortError, type PreparedCall } from '../../../engine/ports.js';
import { isBetween, subtractAll, sum } from '../../../platform/money/money.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';

/** Code of the error of a call that the budget of the rehearsal does not cover. */
export const REHEARSAL_BUDGET = 'rehearsal_budget_exceeded';

/** The budget of one rehearsal. Each call reserves its maximum cost first. */
export class RehearsalBudget {
  #inFlight = '0';

  constructor(
    private readonly limitUsd: string,
    private spentUsd: string,
  ) {}

  /** Returns the models, whose calls this budget limits in addition to the limits of the project. */
  limit(models: ModelsOfRun): ModelsOfRun {
    return {
      prepare: async (request, signal) => {
        const call = await models.prepare(request, signal);
        return { ...call, complete: context => this.#complete(call, context) };
      },
    };
  }

  async #complete(call: PreparedCall, context: Parameters<PreparedCall['complete']>[0]) {
    const { costUsd } = call;
    if (!isBetween(sum([this.spentUsd, this.#inFlight, costUsd]), '0', this.limitUsd))
      throw new PortError(REHEARSAL_BUDGET, 'the remaining budget of the rehearsal does not cover this call', {
        isFinal: true,
      });
    this.#inFlight = sum([this.#inFlight, costUsd]);
    try {
      const answer = await call.complete(context);
      this.spentUsd = sum([this.spentUsd, answer.usage.costUsd ?? '0']);
      return answer;
    } catch (error) {
      if (error instanceof PortError && error.usage) this.spentUsd = sum([this.spentUsd, error.usage.costUsd ?? '0']);
      throw error;
    } finally {
      this.#inFlight = subtractAll(this.#inFlight, [costUsd]);
    }
  }
}
