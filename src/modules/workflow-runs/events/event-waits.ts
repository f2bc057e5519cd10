import type { EventRequest, Events } from '../../../engine/wait-ports.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { anyUuid, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';

/** Maximum number of runs to which one transaction delivers an event. */
const BATCH = 200;

/** The part of an event that its delivery uses. */
export interface SentEvent {
  id: string;
  projectId: number;
  digest: Buffer;
  sentAt: Date;
}

/** Returns the digest by which events and waits are compared. */
export function eventDigest(vault: Vault, name: string, key: string): Buffer {
  return vault.digest(JSON.stringify(['workflow event', name, key]));
}

/**
 * Connects events and waits. Each run receives an event once, by its oldest wait that matches. The lock of the run
 * serializes deliveries.
 */
export class EventWaits {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** Returns the port of a run. */
  portFor(run: { id: string; projectId: number }): Omit<Events, 'send'> {
    return {
      newId: timeOrderedUuid,
      findEvent: request => this.#findEvent(run, request),
    };
  }

  /**
   * Records the wait, then searches for its event. The wait is committed before the search, and an event before its
   * delivery, so at least one of the two transactions sees the row of the other.
   */
  async #findEvent({ id: runId, projectId }: { id: string; projectId: number }, request: EventRequest) {
    const { id, name, key, acceptedFrom, expiresAt } = request;
    const digest = eventDigest(this.vault, name, key);
    await queryBuilder<RunTables>(this.database)
      .insertInto('workflow_run_event_wait')
      .values({
        id,
        run_id: runId,
        project_id: projectId,
        digest,
        accepted_from: new Date(acceptedFrom),
        expires_at: new Date(expiresAt),
      })
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
    const eventId = await this.database.transaction(sql => findOrAssignEvent(sql, runId, id));
    if (eventId === undefined) return undefined;
    const event = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_event')
      .select('payload')
      .where('id', '=', eventId)
      .executeTakeFirst();
    return event && { payload: event.payload };
  }

  /** Delivers an event to the waits that are open. Safe to repeat. Passes the runs of each batch to `signal`. */
  async deliver(event: SentEvent, signal: (runIds: string[], sql: Sql) => Promise<void>): Promise<void> {
    for (;;) {
      const count = await this.database.transaction(async sql => {
        const runIds = await lockWaitingRuns(sql, event);
        if (runIds.length === 0) return 0;
        const received = await assignEvent(sql, event, runIds);
        if (received.length > 0) await signal(received, sql);
        return runIds.length;
      });
      if (count < BATCH) return;
    }
  }
}

/** Returns the id of the event that a wait received. If it has none, assigns the oldest sent event that matches. Undefined: none matches. */
async function findOrAssignEvent(sql: Sql, runId: string, waitId: string): Promise<string | undefined> {
  await lockRuns(sql, [runId]);
  const wait = await queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run_event_wait')
    .selectAll()
    .where('id', '=', waitId)
    .executeTakeFirstOrThrow();
  if (wait.event_id !== null) return wait.event_id;
  const event = await queryBuilder<RunTables>(sql)
    .selectFrom('workflow_event as e')
    .select('e.id')
    .where('e.project_id', '=', wait.project_id)
    .where('e.digest', '=', wait.digest)
    .where('e.sent_at', '>=', wait.accepted_from)
    .where('e.sent_at', '<', wait.expires_at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workflow_run_event_wait as other')
            .select('other.id')
            .where('other.run_id', '=', runId)
            .whereRef('other.event_id', '=', 'e.id'),
        ),
      ),
    )
    .orderBy('e.sent_at')
    .orderBy('e.id')
    .limit(1)
    .executeTakeFirst();
  if (!event) return undefined;
  await queryBuilder<RunTables>(sql)
    .updateTable('workflow_run_event_wait')
    .set({ event_id: event.id })
    .where('id', '=', waitId)
    .execute();
  return event.id;
}

/** Locks runs with a wait that is open for the event and that have not received it. */
async function lockWaitingRuns(sql: Sql, event: SentEvent): Promise<string[]> {
  const rows = await openWaits(sql, event).select('w.run_id as runId').distinct().limit(BATCH).execute();
  const ids = rows.map(({ runId }) => runId);
  if (ids.length > 0) await lockRuns(sql, ids);
  return ids;
}

/** Gives the event to the oldest open wait of each run. Returns the runs that have received it. */
async function assignEvent(sql: Sql, event: SentEvent, runIds: readonly string[]): Promise<string[]> {
  const waits = await openWaits(sql, event)
    .where('w.run_id', '=', anyUuid(runIds))
    .distinctOn('w.run_id')
    .select(['w.id', 'w.run_id as runId'])
    .orderBy('w.run_id')
    .orderBy('w.created_at')
    .orderBy('w.id')
    .execute();
  if (waits.length === 0) return [];
  await queryBuilder<RunTables>(sql)
    .updateTable('workflow_run_event_wait')
    .set({ event_id: event.id })
    .where('id', '=', anyUuid(waits.map(({ id }) => id)))
    .execute();
  return waits.map(({ runId }) => runId);
}

function openWaits(sql: Sql, { id, projectId, digest, sentAt }: SentEvent) {
  return queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run_event_wait as w')
    .innerJoin('workflow_run as r', 'r.id', 'w.run_id')
    .where('w.project_id', '=', projectId)
    .where('w.digest', '=', digest)
    .where('w.event_id', 'is', null)
    .where('w.accepted_from', '<=', sentAt)
    .where('w.expires_at', '>', sentAt)
    .where('r.run_finished_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workflow_run_event_wait as other')
            .select('other.id')
            .whereRef('other.run_id', '=', 'w.run_id')
            .where('other.event_id', '=', id),
        ),
      ),
    );
}

/** Locks the runs in the order of their ids, so that two deliveries cannot deadlock. */
async function lockRuns(sql: Sql, ids: readonly string[]): Promise<void> {
  await queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run')
    .select('id')
    .where('id', '=', anyUuid(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
