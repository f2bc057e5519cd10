import { randomUUID } from 'node:crypto';
import { PortError } from '../../../engine/ports.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { BudgetExceededError, type BudgetUse } from '../../../platform/errors/errors.js';
import { normalize } from '../../../platform/money/money.js';
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
const REFUSALS: Record<Exclude<ReservationOutcome, 'reserved' | 'lease-lost' | 'not-required'>, string> = {
  budget: 'The remaining spending limit of the project does not cover this call.',
  project: `The remaining operator limit of the project does not cover this call. ${ASK} to raise the limit.`,
  user: `The remaining operator limit of the user does not cover this call. ${ASK} to raise the limit.`,
  'project-barred': `The project may not use the provider keys of the service. ${ASK} to permit it.`,
  'user-barred': `The user may not use the provider keys of the service. ${ASK} to permit it.`,
};

/**
 * Enforces spending limits: the limit of a project on all its costs, and the operator limits of projects and
 * users on costs of provider keys of the service. A paid call reserves its maximum cost first. The statement
 * that writes the ledger row settles the reservation. `reserve` never raises the sum of spent and reserved amounts
 * above a limit; `replace` may.
 */
export class Budget {
  constructor(
    private readonly database: Database,
    readonly defaults: DefaultLimits = { userUsd: null, projectUsd: null },
  ) {}

  /**
   * Reserves an amount in US dollars on every limit that applies to a call. Returns the id of the reservation,
   * or null if nothing needs to be reserved. `holder` is the id of the run or of another caller. `service` is
   * set if a provider key of the service pays; its `userId` null means the user who started the run.
   * @throws PortError `budget_exceeded` if a limit does not cover the call, or an operator limit is reached
   * (also for calls of unknown price)
   * @throws PortError `lease_lost` if `token` is not the current fencing token of the run
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
    const outcome = await reserve(this.database, { ...call, ...payer }, this.defaults);
    failpoint('reserve.after');
    if (outcome === 'lease-lost')
      throw new PortError('lease_lost', 'Another worker has claimed the run.', { isFinal: true });
    if (outcome === 'reserved') return id;
    if (outcome === 'not-required') return null;
    throw new PortError('budget_exceeded', REFUSALS[outcome], { isFinal: true });
  }

  /** Releases reservations of calls that cost nothing. Idempotent. */
  async release(...ids: string[]): Promise<void> {
    await releaseReservations(this.database, ids);
  }

  /**
   * Replaces all reservations of `holder`. Limits are not checked, because the costs have already been incurred
   * but are not in the ledger yet. `isService` marks the amounts that a provider key of the service paid;
   * default: none. Returns the ids in the order of `amountsUsd`.
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

  /** Releases expired reservations. Safe to run concurrently in several processes. */
  async expire(): Promise<void> {
    await releaseExpiredReservations(this.database);
  }

  /** Reports whether the spending limit of the project is reached. If so, no new run may start. */
  async isSpent(projectId: number): Promise<boolean> {
    return (await this.findReachedLimit(projectId)) !== null;
  }

  /** @throws BudgetExceededError if the spending limit of the project is reached */
  async assertNotSpent(projectId: number): Promise<void> {
    const use = await this.findReachedLimit(projectId);
    if (use) throw new BudgetExceededError(undefined, use);
  }

  /** Returns the spending limit of the project and the amount spent if the limit is reached, otherwise null. */
  async findReachedLimit(projectId: number): Promise<BudgetUse | null> {
    const project = await queryBuilder<ProjectTables>(this.database)
      .selectFrom('project as p')
      .select(['p.budget_usd as limitUsd', 'p.total_spent_usd as spentUsd'])
      .where('p.id', '=', projectId)
      .where(isBudgetSpent('p'))
      .executeTakeFirst();
    return project ? { limitUsd: normalize(project.limitUsd ?? '0'), spentUsd: normalize(project.spentUsd) } : null;
  }
}

/** Returns the condition that the spending limit of a project is reached. `project` is the alias of its row. */
export function isBudgetSpent(project: string) {
  const [budget, spent] = ['budget_usd', 'total_spent_usd'].map(column => expression.ref(`${project}.${column}`));
  return expression<boolean>`(${budget} is not null and ${spent} >= ${budget})`;
}
