import type { AssignedRunReader } from '../../../durable/assignment/slot-offers.js';
import { assignedTokenSql } from '../../../durable/lease-token.js';
import { HEARTBEAT_SECONDS, leaseFromNow } from '../../../durable/queue.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { type Database, LEASE_STATEMENT, type Sql } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../../platform/database/typed-queries.js';
import { withDeadline } from '../../../platform/database/with-deadline.js';
import type { Log } from '../../../platform/logging/log.js';
import { engineEvents, eventsOfBatches, withSealedContents } from '../journal/run-journal.js';
import type { StoredEvents } from '../journal/stored-events.js';
import type { RunTables } from '../run-tables.js';
import type { AssignedColumns } from './assigned-columns.js';
import type { EarlyStart } from './prefix.js';
import { type ClaimedRun, FIRST_CLAIM } from './run-claims.js';

/** Age in milliseconds up to which the rest of the first lease suffices for the first renewal. */
const MAX_AGE_MS = (HEARTBEAT_SECONDS * 1_000) / 4;

/** Selects the runs that are assigned to a worker and whose first leases have not expired. */
const selectAssigned = (tables: QueryCreator<RunTables>, workerId: Placeholder<{ workerId: number }>) =>
  tables
    .selectFrom('workflow_run as r')
    .where('r.state', '=', expression.lit('running' as const))
    .where(
      'r.lease_token',
      '=',
      expression<number>`${expression.raw(assignedTokenSql(''))}${workerId('workerId')}::bigint`,
    )
    .where('r.run_started_at', '>', expression<Date>`now() - ${expression.lit(`${HEARTBEAT_SECONDS} s`)}::interval`);

const FIND = keyedQuery('find-assigned', (tables, value: Placeholder<{ workerId: number }>) =>
  selectAssigned(tables, value).select('r.id'),
);

const READ = keyedQuery('read-assigned', (tables, value: Placeholder<{ ids: readonly string[]; workerId: number }>) =>
  selectAssigned(tables, value)
    .innerJoin('workflow_run_payload as p', join =>
      join.onRef('p.run_id', '=', 'r.id').onRef('p.run_created_at', '=', 'r.created_at'),
    )
    .leftJoin('workflow_run_journal as j', join =>
      join
        .onRef('j.run_id', '=', 'r.id')
        .onRef('j.run_created_at', '=', 'r.created_at')
        .on('j.first_sequence', '=', expression.lit(1))
        .on('r.forked_from_id', 'is', null),
    )
    .where('r.id', '=', expression<string>`any(${value('ids')}::uuid[])`)
    .select(['r.id', 'r.lease_token as token', 'r.sequence', 'r.project_id as projectId', 'r.created_at as createdAt'])
    .select(['r.revision_id as revisionId', 'r.workflow_id as workflowId', 'r.user_id as userId', 'r.ancestry'])
    .select(['r.scenario_run_id as scenarioRunId', 'r.market_workflow_id as marketWorkflowId', 'r.run_fee as runFee'])
    .select(['r.traceparent', 'r.environment', 'p.input', 'p.sealed_input as sealedInput'])
    .select(['j.events', 'j.sealed_contents as sealedContents'])
    .select(expression<number>`extract(epoch from now() - r.run_started_at)::float8 * 1000`.as('ageMs'))
    .$narrowType<{ input: Record<string, unknown>; events: StoredEvents | null }>(),
);

/** Reads the workflow runs that other processes assign to the worker of this process. */
export class AssignedWorkflowRunReader implements AssignedRunReader<ClaimedRun, AssignedColumns> {
  readonly #sql: Sql;

  constructor(
    database: Database,
    private readonly vault: Vault,
    private readonly log: Pick<Log, 'error'>,
  ) {
    this.#sql = withDeadline(database, LEASE_STATEMENT);
  }

  restore({ createdAt, events, sealedContents, ...columns }: AssignedColumns, ageMs: number): ClaimedRun | undefined {
    try {
      return {
        ...columns,
        ...FIRST_CLAIM,
        createdAt: new Date(createdAt),
        // A run that arrives late renews its lease before its first call.
        leaseExpiresAt: ageMs > MAX_AGE_MS ? 0 : leaseFromNow() - ageMs,
        ...(events ? { earlyStart: this.#earlyStartOf(columns.id, events, sealedContents) } : {}),
      };
    } catch (error) {
      const parts = { err: error, runId: columns.id };
      this.log.error(parts, 'reading an assigned run failed; another worker takes it over');
      return undefined;
    }
  }

  async read(ids: readonly string[], workerId: number): Promise<ClaimedRun[]> {
    const readAt = performance.now();
    const rows = await READ(this.#sql, { ids, workerId });
    const readMs = performance.now() - readAt;
    return rows.flatMap(({ ageMs, ...columns }) => this.restore(columns, ageMs + readMs) ?? []);
  }

  async findIds(workerId: number): Promise<string[]> {
    return (await FIND(this.#sql, { workerId })).map(({ id }) => id);
  }

  /** Restores the early start. `ledger` is empty, because the insertion has written its rows. */
  #earlyStartOf(runId: string, stored: StoredEvents, sealedContents: string | null): EarlyStart {
    const events = eventsOfBatches([{ runId, first: 1, events: stored }]);
    const sealed = sealedContents === null ? [] : [{ sealed: sealedContents, firstSequence: 1 }];
    const unmasked = engineEvents(withSealedContents(runId, events, sealed, this.vault));
    return { events, unmasked, sealedContents, ledger: [] };
  }
}
