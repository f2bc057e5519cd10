import { PortError } from '../../engine/ports.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import { BudgetExceededError } from '../../platform/errors/errors.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { KeyBudget } from '../billing/budgets/key-budget.js';

/** Reservations behind a call, by their ids; null where nothing is reserved. */
export interface HeldReservation {
  readonly ofKey: string | null;
  /** On the limit of the project and on the operator's limits of project and user. */
  readonly ofProject: string | null;
}

const NOTHING: HeldReservation = { ofKey: null, ofProject: null };

/** Whose limits a call counts towards; null for those that it does not. */
interface Payer {
  keyId: number | null;
  projectId: number | null;
  /** The user, where a provider key of the service pays and the operator may have limited its use. */
  service: { userId: number } | undefined;
}

/** Reserves what a chat completion may cost on the limits of its key and its project, and on the operator's. */
export class ChatReservations {
  constructor(
    private readonly projects: Budget,
    private readonly keys: KeyBudget,
  ) {}

  /** `estimate`: US dollars; asked for only where it counts. Throws a BudgetExceededError past one of the limits. */
  make(payer: Payer, estimate: () => Promise<string>): HeldReservation | Promise<HeldReservation> {
    return payer.keyId === null && payer.projectId === null && !payer.service
      ? NOTHING
      : this.#reserve(payer, estimate);
  }

  async #reserve({ keyId, projectId, service }: Payer, estimate: () => Promise<string>): Promise<HeldReservation> {
    const estimateUsd = await estimate();
    const ofKey = keyId === null ? null : await this.keys.reserve(keyId, estimateUsd);
    try {
      const ofProject =
        projectId === null && !service
          ? null
          : await this.projects.reserve(projectId, timeOrderedUuid(), estimateUsd, undefined, service);
      return { ofKey, ofProject };
    } catch (error) {
      await this.giveBack({ ofKey, ofProject: null });
      throw error instanceof PortError ? new BudgetExceededError(error.message) : error;
    }
  }

  /** For a call that cost nothing. */
  async giveBack({ ofKey, ofProject }: HeldReservation): Promise<void> {
    if (ofKey !== null) await this.keys.release(ofKey);
    if (ofProject !== null) await this.projects.release(ofProject);
  }
}
