import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { chargeRun, type RunCharge } from '../../billing/charge-run.sql.js';
import { type RehearsedRunOutcome, type RunReport, rehearsalTopic } from '../rehearsal.js';
import type { RehearsalTables } from '../rehearsal-tables.js';
import { type ClaimedRehearsal, updateClaimedRehearsal } from './rehearsal-claims.js';

/** The operation of the ledger rows of rehearsals. */
export const REHEARSAL_OPERATION = 'rehearsal';

/** A run of a rehearsal. */
export interface RehearsalRunRow {
  id: string;
  runId: string;
  revisionId: number | null;
  position: number;
  outcome: RehearsedRunOutcome | null;
  report: RunReport | null;
}

/** Calls to record, with their charges. */
export interface RecordedCalls {
  events: readonly [RunEvent, ...RunEvent[]];
  /** Sequence number of the first event. */
  firstSequence: number;
  charges: readonly RunCharge[];
  /** The ids of reservations to release: their calls are charged here or cost nothing. */
  settled: readonly string[];
  costUsd: string;
}

/**
 * Writes and reads the records of rehearsals. Every write requires the fencing token. A repeated write has no effect: the caller
 * repeats a write if it did not receive the answer to its commit.
 */
export class RehearsalRecords {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async readRuns(rehearsalId: string): Promise<RehearsalRunRow[]> {
    return queryBuilder<RehearsalTables>(this.database)
      .selectFrom('rehearsal_run')
      .select(['id', 'run_id as runId', 'revision_id as revisionId', 'position', 'outcome', 'report'])
      .where('rehearsal_id', '=', rehearsalId)
      .orderBy('position')
      .$castTo<RehearsalRunRow>()
      .execute();
  }

  /** Adds a run to a rehearsal of the kind `bisect`, whose runs are not known before. */
  async addRun(rehearsal: ClaimedRehearsal, row: Omit<RehearsalRunRow, 'outcome' | 'report'>): Promise<void> {
    const { id, runId, revisionId, position } = row;
    await this.database.transaction(async sql => {
      await updateClaimedRehearsal(sql, rehearsal, { runs_count: position });
      await queryBuilder<RehearsalTables>(sql)
        .insertInto('rehearsal_run')
        .values({ id, rehearsal_id: rehearsal.id, run_id: runId, revision_id: revisionId, position })
        .onConflict(conflict => conflict.column('id').doNothing())
        .execute();
    });
  }

  /** Returns the recorded events of the calls of an unfinished run. */
  async readEvents(rowId: string): Promise<RunEvent[]> {
    const rows = await queryBuilder<RehearsalTables>(this.database)
      .selectFrom('rehearsal_event')
      .select(['sequence', 'sealed_event as sealed'])
      .where('rehearsal_run_id', '=', rowId)
      .orderBy('sequence')
      .execute();
    return rows.map(({ sequence, sealed }) => JSON.parse(this.vault.open(sealed, sealContextOf(rowId, sequence))));
  }

  /** Records calls and charges them in one transaction. */
  async record(rehearsal: ClaimedRehearsal, rowId: string, calls: RecordedCalls): Promise<void> {
    const { events, firstSequence, charges, settled, costUsd } = calls;
    failpoint('rehearsal.before-record');
    await this.database.transaction(async sql => {
      const isRepeated = await isRecorded(sql, rowId, firstSequence);
      const spent = { spent_usd: expression<string>`spent_usd + ${costUsd}::numeric` };
      await updateClaimedRehearsal(sql, rehearsal, isRepeated ? {} : spent);
      if (isRepeated) return;
      const rows = events.map((event, index) => {
        const sequence = firstSequence + index;
        const sealed = this.vault.seal(JSON.stringify(event), sealContextOf(rowId, sequence));
        return { rehearsal_run_id: rowId, sequence, sealed_event: sealed };
      });
      await queryBuilder<RehearsalTables>(sql).insertInto('rehearsal_event').values(rows).execute();
      if (charges.length > 0 || settled.length > 0)
        await chargeRun(sql, { ...chargedBy(rehearsal, rowId), charges, settled, isEnded: false });
    });
    failpoint('rehearsal.recorded');
  }

  /** Ends a run: writes its report, releases its reservations and deletes its events. */
  async endRun(
    rehearsal: ClaimedRehearsal,
    rowId: string,
    { outcome, report }: { outcome: RehearsedRunOutcome; report: RunReport },
  ): Promise<void> {
    await this.database.transaction(async sql => {
      const isRepeated = await hasEnded(sql, rowId);
      const ended = { ended_count: expression<number>`ended_count + 1` };
      await updateClaimedRehearsal(sql, rehearsal, isRepeated ? {} : ended);
      if (isRepeated) return;
      await queryBuilder<RehearsalTables>(sql)
        .updateTable('rehearsal_run')
        .set({ outcome, report: JSON.stringify(report) })
        .where('id', '=', rowId)
        .execute();
      await queryBuilder<RehearsalTables>(sql)
        .deleteFrom('rehearsal_event')
        .where('rehearsal_run_id', '=', rowId)
        .execute();
      await chargeRun(sql, { ...chargedBy(rehearsal, rowId), charges: [], settled: [], isEnded: true });
      await Bus.notify(sql, [rehearsalTopic(rehearsal.id)]);
      failpoint('rehearsal.before-run-end');
    });
    failpoint('rehearsal.run-ended');
  }
}

async function isRecorded(sql: Sql, rowId: string, sequence: number): Promise<boolean> {
  const row = await queryBuilder<RehearsalTables>(sql)
    .selectFrom('rehearsal_event')
    .select('sequence')
    .where('rehearsal_run_id', '=', rowId)
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasEnded(sql: Sql, rowId: string): Promise<boolean> {
  const row = await queryBuilder<RehearsalTables>(sql)
    .selectFrom('rehearsal_run')
    .select('id')
    .where('id', '=', rowId)
    .where('outcome', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

function chargedBy({ projectId, userId }: ClaimedRehearsal, rowId: string) {
  return { id: rowId, projectId, userId, operation: REHEARSAL_OPERATION };
}

function sealContextOf(rowId: string, sequence: number): string {
  return `rehearsal_event:sealed_event:${rowId}:${sequence}`;
}
