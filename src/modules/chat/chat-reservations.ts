import { PortError } from '../../engine/ports.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import { BudgetExceededError } from '../../platform/errors/errors.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { KeyBudget } from '../billing/budgets/key-budget.js';

/** Ids of the reservations of a call; null if nothing is reserved. */
export interface HeldReservations {
  readonly ofKey: string | null;
  /** The reservation on the limit of the project and on the operator's limits of project and user. */
  readonly ofProject: string | null;
}

const NONE: HeldReservations = { ofKey: null, ofProject: null };

/** The API key, project and user whose limits apply to a call; null for limits that do not apply. */
interface Payer {
  keyId: number | null;
  projectId: number | null;
  /** Set if a provider key of the service pays and an operator's limit may apply. */
  service: { userId: number } | undefined;
}

/** Reserves the maximum cost of a chat completion on the limits of its API key, its project and the operator. */
export class ChatReservations {
  constructor(
    private readonly projects: Budget,
    private readonly keys: KeyBudget,
  ) {}

  /** Reserves `estimate`, in US dollars, which is computed only if a limit applies. Throws a BudgetExceededError if it exceeds a limit. */
  reserve(payer: Payer, estimate: () => Promise<string>): HeldReservations | Promise<HeldReservations> {
    return payer.keyId === null && payer.projectId === null && !payer.service
      ? NONE
      : this.#reserveEstimate(payer, estimate);
  }

  async #reserveEstimate(
    { keyId, projectId, service }: Payer,
    estimate: () => Promise<string>,
  ): Promise<HeldReservations> {
    const estimateUsd = await estimate();
    const ofKey = keyId === null ? null : await this.keys.reserve(keyId, estimateUsd);
    try {
      // The holder is the call itself, because it belongs to no run.
      const ofProject =
        projectId === null && !service
          ? null
          : await this.projects.reserve(projectId, timeOrderedUuid(), estimateUsd, undefined, service);
      return { ofKey, ofProject };
    } catch (error) {
      await this.release({ ofKey, ofProject: null });
      throw error instanceof PortError ? new BudgetExceededError(error.message) : error;
    }
  }

  /** Releases the reservations of a call without cost. */
  async release({ ofKey, ofProject }: HeldReservations): Promise<void> {
    if (ofKey !== null) await this.keys.release(ofKey);
    if (ofProject !== null) await this.projects.release(ofProject);
  }
}
