import { type Claims, nextToken } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { ClaimableRun } from '../../../durable/run-worker.js';
import { type Database, LEASE_STATEMENT, type Sql } from '../../../platform/database/database.js';
import { anyUuid, expression, NOW, queryBuilder, type UpdateObject } from '../../../platform/database/typed-queries.js';
import { withDeadline } from '../../../platform/database/with-deadline.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import {
  type BisectFinding,
  type RehearsalKind,
  RehearsalState,
  type RehearsalVerdict,
  rehearsalTopic,
} from '../rehearsal.js';
import type { RehearsalSettings } from '../rehearsal-settings.js';
import type { RehearsalTables } from '../rehearsal-tables.js';

/** Name of the pg-boss queue of rehearsals. The id of a job is that of its rehearsal. */
export const REHEARSAL_QUEUE = 'rehearsal';

/** A rehearsal claimed by this worker. Its token becomes invalid when another worker claims it. */
export interface ClaimedRehearsal extends ClaimableRun {
  token: number;
  attempts: number;
  createdAt: Date;
  workflowId: number;
  revisionId: number | null;
  userId: number | null;
  kind: RehearsalKind;
  settings: RehearsalSettings;
  budgetUsd: string;
  spentUsd: string;
}

/** Thrown when the lease of a rehearsal is lost: another worker claimed it, or it was cancelled. Nothing was written. */
export class RehearsalLostError extends Error {
  constructor(id: string) {
    super(`the lease of rehearsal ${id} is lost`);
    this.name = 'RehearsalLostError';
  }
}

/** The states of rehearsals that have not ended. */
const OPEN_STATES = [RehearsalState.QUEUED, RehearsalState.RUNNING];

/** The result of a rehearsal. */
export interface RehearsalEnd {
  verdict: RehearsalVerdict | null;
  finding: BisectFinding | null;
}

/** Claims rehearsals and ends them. Every statement checks the fencing token, so that the last claim wins. */
export class RehearsalClaims implements Claims<ClaimedRehearsal> {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  async claim(ids: string[]): Promise<ClaimedRehearsal[]> {
    const claimed = await this.database.transaction(async sql => {
      const rows = await queryBuilder<RehearsalTables>(sql)
        .updateTable('rehearsal as r')
        .set(({ eb, fn }) => ({
          state: RehearsalState.RUNNING,
          attempts: eb('r.attempts', '+', 1),
          lease_token: nextToken('r.lease_token'),
          started_at: fn.coalesce('r.started_at', NOW),
          updated_at: NOW,
        }))
        .where('r.id', '=', anyUuid(ids))
        .where('r.state', 'in', OPEN_STATES)
        .returning(['r.id', 'r.project_id as projectId', 'r.workflow_id as workflowId', 'r.lease_token as token'])
        .returning(['r.attempts', 'r.created_at as createdAt', 'r.revision_id as revisionId', 'r.user_id as userId'])
        .returning(['r.kind', 'r.settings', 'r.budget_usd as budgetUsd', 'r.spent_usd as spentUsd'])
        .execute();
      await Bus.notify(
        sql,
        rows.map(({ id }) => rehearsalTopic(id)),
      );
      return rows as ClaimedRehearsal[];
    }, LEASE_STATEMENT);
    failpoint('rehearsal.claimed');
    return claimed;
  }

  async findHeld(rehearsals: ClaimedRehearsal[]): Promise<string[]> {
    if (rehearsals.length === 0) return [];
    const rows = await queryBuilder<RehearsalTables>(withDeadline(this.database, LEASE_STATEMENT))
      .selectFrom('rehearsal')
      .select(['id', 'lease_token as token'])
      .where('id', '=', anyUuid(rehearsals.map(({ id }) => id)))
      .where('state', '=', RehearsalState.RUNNING)
      .execute();
    const tokens = new Map(rows.map(({ id, token }) => [id, token]));
    return rehearsals.filter(({ id, token }) => tokens.get(id) === token).map(({ id }) => id);
  }

  /** Resolves if this worker holds the lease, by its own clock or by a query. @throws RehearsalLostError otherwise */
  async assertLease(rehearsal: ClaimedRehearsal): Promise<void> {
    if (performance.now() < (rehearsal.leaseExpiresAt ?? 0)) return;
    const held = await this.findHeld([rehearsal]);
    if (held.length === 0) throw new RehearsalLostError(rehearsal.id);
  }

  /** Releases rehearsals without counting the attempt. They stay in progress until another worker claims them. */
  async returnToQueue(rehearsals: ClaimedRehearsal[], sql: Sql): Promise<string[]> {
    const ours: string[] = [];
    // Locks in the order of the ids, which prevents deadlocks between workers.
    for (const { id, token } of rehearsals.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const row = await queryBuilder<RehearsalTables>(sql)
        .updateTable('rehearsal')
        .set({ attempts: expression<number>`greatest(attempts - 1, 0)`, updated_at: NOW })
        .where('id', '=', id)
        .where('lease_token', '=', token)
        .where('state', '=', RehearsalState.RUNNING)
        .returning('id')
        .executeTakeFirst();
      if (row) ours.push(id);
    }
    return ours;
  }

  async finish(rehearsal: ClaimedRehearsal, { verdict, finding }: RehearsalEnd): Promise<void> {
    await this.#end(rehearsal, {
      state: RehearsalState.SUCCEEDED,
      verdict,
      finding: finding === null ? null : JSON.stringify(finding),
    });
    failpoint('rehearsal.after-end');
  }

  async fail(rehearsal: ClaimedRehearsal, error: string): Promise<void> {
    await this.#end(rehearsal, { state: RehearsalState.FAILED, error });
  }

  async #end(rehearsal: ClaimedRehearsal, end: RehearsalChanges): Promise<void> {
    await this.database.transaction(async sql => {
      await updateClaimedRehearsal(sql, rehearsal, { ...end, finished_at: NOW });
      await this.queue.remove(REHEARSAL_QUEUE, [rehearsal.id], sql);
      await Bus.notify(sql, [rehearsalTopic(rehearsal.id)]);
      failpoint('rehearsal.before-end');
    });
  }
}

/** The columns that an update of a rehearsal may set. */
export type RehearsalChanges = UpdateObject<RehearsalTables, 'rehearsal'>;

/** Updates a rehearsal. @throws RehearsalLostError if its fencing token is no longer current */
export async function updateClaimedRehearsal(
  sql: Sql,
  { id, token }: Pick<ClaimedRehearsal, 'id' | 'token'>,
  changes: RehearsalChanges,
): Promise<void> {
  const row = await queryBuilder<RehearsalTables>(sql)
    .updateTable('rehearsal')
    .set({ ...changes, updated_at: NOW })
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .where('state', '=', RehearsalState.RUNNING)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new RehearsalLostError(id);
}
