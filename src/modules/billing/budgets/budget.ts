import { randomUUID } from 'node:crypto';
import { PortError } from '../../../engine/ports.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, queries } from '../../../platform/database/typed-queries.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import type { DefaultLimits } from './default-limits.js';
import {
  type ReservationOutcome,
  releaseExpiredReservations,
  releaseReservations,
  replaceReservations,
  reserve,
} from './reservations.sql.js';

const ASK = 'Attach a provider key to the project, or ask an administrator of the service';
const REFUSALS: Partial<Record<ReservationOutcome, string>> = {
  budget: 'What is left of the spending limit of the project does not cover this call.',
  project: `What is left of the operator's spending limit of the project does not cover this call. ${ASK} to raise the limit.`,
  user: `What is left of the operator's spending limit of the user does not cover this call. ${ASK} to raise the limit.`,
  'project-barred': `The project may not use the provider keys of the service. ${ASK} to permit it.`,
  'user-barred': `The user may not use the provider keys of the service. ${ASK} to permit it.`,
};

/**
 * Spending limits: of a project, on everything that is paid for it, and the operator's limits of a project and of a user,
 * on what is paid with the provider keys of the service. A paid call reserves what it may cost before it is made; the
 * statement that writes its cost on the ledger settles the reservation. What is spent and what is reserved never exceed a
 * limit together.
 */
export class Budget {
  constructor(
    private readonly database: Database,
    readonly defaults: DefaultLimits = { userUsd: null, projectUsd: null },
  ) {}

  /**
   * Reserves an amount of US dollars for a call of `holder` (a run's id, or another caller's) on every limit that holds for
   * it. Returns the id of the reservation; null: nothing is to be reserved. `service`: a provider key of the service pays,
   * for this user; null: for the one who started the run. Throws the PortError `budget_exceeded` past a limit, also
   * for a call of unknown price once an operator's limit is spent, and `lease_lost` when `token`, of a holder
   * that has one, is no longer the holder's: the current worker makes the call.
   */
  async reserve(
    projectId: number | null,
    holder: string,
    estimateUsd: string,
    token?: number,
    service?: { userId: number | null },
  ): Promise<string | null> {
    if (Number(estimateUsd) === 0 && !service) return null;
    const id = randomUUID();
    const call = { id, projectId, amountUsd: estimateUsd, holder, token: token ?? null };
    const payer = { isService: service !== undefined, userId: service?.userId ?? null };
    const verdict = await reserve(this.database, { ...call, ...payer }, this.defaults);
    failpoint('reserve.after');
    if (verdict === 'lost')
      throw new PortError('lease_lost', 'Another worker has taken the run over.', undefined, true);
    if (verdict === 'kept') return id;
    const refusal = REFUSALS[verdict];
    if (refusal === undefined) return null;
    throw new PortError('budget_exceeded', refusal, undefined, true);
  }

  /** Releases reservations of calls that cost nothing. Harmless when that has happened. */
  async release(...ids: string[]): Promise<void> {
    await releaseReservations(this.database, ids);
  }

  /**
   * Replaces all reservations of `holder` by these, without asking whether they fit: for costs that have arisen already
   * and are not on the ledger yet. `isService`: which of them were paid with a provider key of the service; default none.
   * Returns their ids in order.
   */
  async replace(
    projectId: number,
    holder: string,
    amountsUsd: readonly string[],
    isService: readonly boolean[] = [],
  ): Promise<string[]> {
    const ids = amountsUsd.map(() => randomUUID());
    await replaceReservations(this.database, { projectId, holder, ids, amountsUsd, isService }, this.defaults);
    return ids;
  }

  /** Drops reservations whose time has passed. Safe beside itself in another process. */
  async expire(): Promise<void> {
    await releaseExpiredReservations(this.database);
  }

  /** Whether the limit of the project is spent: nothing new is begun then. */
  async isSpent(projectId: number): Promise<boolean> {
    const project = await queries<ProjectTables>(this.database)
      .selectFrom('project as p')
      .select(isBudgetSpent('p').as('isSpent'))
      .where('p.id', '=', projectId)
      .executeTakeFirst();
    return project?.isSpent ?? false;
  }
}

/** Whether the limit of a project is spent; `project` is the alias of its row. */
export function isBudgetSpent(project: string) {
  const [budget, spent] = ['budget_usd', 'total_spent_usd'].map(column => expression.ref(`${project}.${column}`));
  return expression<boolean>`(${budget} is not null and ${spent} >= ${budget})`;
}
