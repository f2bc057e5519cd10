import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Sql } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import {
  anyUuid,
  type Expression,
  expression,
  expressionBuilder,
  type QueryCreator,
  queryBuilder,
} from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import { isVisible } from '../../projects/access.js';
import type { RunTables } from '../run-tables.js';
import { fromStored, type StoredEvents } from './stored-events.js';

/** Returns the topic that announces new events of a run. */
export function runTopic(runId: string): string {
  return `run:${runId}`;
}

/** The event of a cancellation by a user. The engine does not emit it. */
export interface RunCancelled {
  type: 'run.cancelled';
  at: string;
}

/** A stored event: numbered, with masked secrets. */
export type JournalEvent = (RunEvent | RunCancelled) & { sequence: number };

const END_STATES = { 'run.succeeded': 'succeeded', 'run.failed': 'failed', 'run.cancelled': 'cancelled' } as const;

/** SQL condition of the unique index of ends: the journal row `j` contains the end of its run. */
export const END_ROW = expression<boolean>`(j.events -> -1 ->> 'type') in ('run.succeeded', 'run.failed', 'run.cancelled')`;

/** Returns the final state that an event implies. Null for an event that does not end the run. */
export function endStateOf({ type }: Pick<RunEvent | RunCancelled, 'type'>) {
  return Object.hasOwn(END_STATES, type) ? END_STATES[type as keyof typeof END_STATES] : null;
}

/** Returns the final state of a journal. Null while the run has not ended. */
export function recordedEnd(events: readonly JournalEvent[]) {
  const end = events.findLast(event => endStateOf(event) !== null);
  return end ? endStateOf(end) : null;
}

/** Returns the first sequence of a record: that of its first event, or without events the next one of the run. */
export function firstSequenceOf(run: { sequence: number }, events: readonly { sequence: number }[]): number {
  return events[0]?.sequence ?? run.sequence + 1;
}

/** Returns the events of the engine, without the event of a cancellation. */
export function engineEvents(events: readonly JournalEvent[]): (RunEvent & { sequence: number })[] {
  return events.filter(event => event.type !== 'run.cancelled');
}

/** Returns the key of a content within a run: of a node, or of one step of a node. */
export function contentKey({ node, iteration, step }: { node: string; iteration?: string; step?: string }): string {
  return iteration === undefined && step === undefined ? node : JSON.stringify([node, iteration ?? null, step ?? null]);
}

/** Returns the key of the HTTP response of a node within a run, among the keys of contents. */
function responseKey({ node, iteration }: { node: string; iteration?: string }): string {
  return JSON.stringify([node, iteration ?? null, null, 'response']);
}

/** Adds the values of an event that masking changed to `contents`: its content, and its HTTP response as JSON. */
export function addUnmasked(contents: Record<string, string>, event: RunEvent, masked: RunEvent): void {
  if (!('content' in event && 'content' in masked)) return;
  if (masked.content !== event.content) contents[contentKey(event)] = event.content;
  if (event.type !== 'node.succeeded' || masked.type !== 'node.succeeded' || !event.response) return;
  const response = JSON.stringify(event.response);
  if (response !== JSON.stringify(masked.response)) contents[responseKey(event)] = response;
}

/** Returns the place for which the unmasked contents of a batch are sealed. */
export function contentsSealContext(runId: string, firstSequence: number): string {
  return `workflow_run_journal:sealed_contents:${runId}:${firstSequence}`;
}

/** The row and the journal of a run at one moment. */
export interface JournalPage {
  state: string;
  sequence: number;
  events: JournalEvent[];
}

/**
 * Returns the journal rows of a run after `afterSequence` as one JSON array. `run` and `createdAt` name columns of
 * the outer query.
 */
export function journalBatches(run: string, createdAt: string, afterSequence: Expression<number> = expression.lit(0)) {
  const batches = expressionBuilder<RunTables>()
    .selectFrom('workflow_run_journal as j')
    .select(
      expression`json_agg(json_build_object('runId', j.run_id, 'first', j.first_sequence, 'events', j.events) order by j.first_sequence)`.as(
        'batches',
      ),
    )
    .where('j.run_id', '=', expression.ref<string>(run))
    .where('j.run_created_at', '=', expression.ref<Date>(createdAt))
    .where('j.last_sequence', '>', afterSequence);
  return expression<JournalBatch[]>`coalesce(${batches}, '[]')`;
}

interface JournalValues {
  runId: string;
  afterSequence: number;
  /** The viewer. An administrator sees every run. */
  userId: number;
  isAdmin: boolean;
}

const READ = keyedQuery('journal', (tables: QueryCreator<RunTables>, value: Placeholder<JournalValues>) =>
  tables
    .selectFrom('workflow_run as r')
    .select(['r.state', 'r.sequence', journalBatches('r.id', 'r.created_at', value('afterSequence')).as('batches')])
    .where('r.id', '=', value('runId'))
    .where(isVisible({ userId: value('userId'), isAdmin: value('isAdmin') }, 'r.project_id')),
);

/** One row of a journal. */
export interface JournalBatch {
  runId: string;
  first: number;
  events: StoredEvents;
}

/** The sealed originals of the contents of one journal row. */
export interface SealedContents {
  sealed: string;
  firstSequence: number;
}

/** Reads of this process itself. */
const EVERY_RUN = { userId: 0, isAdmin: true };

/** Reads the events of runs. They are the source of live views, of results in progress and of resumption. */
export class RunJournal {
  constructor(private readonly sql: Sql) {}

  /** Returns undefined when the run does not exist, or when `viewer` is given and cannot see it. */
  async read(runId: string, afterSequence = 0, viewer: Viewer | null = null): Promise<JournalPage | undefined> {
    const { userId, isAdmin } = viewer ?? EVERY_RUN;
    const [row] = await READ(this.sql, { runId, afterSequence, userId, isAdmin });
    if (!row) return undefined;
    const events = row.batches.flatMap(eventsOf).filter(event => event.sequence > afterSequence);
    return { state: row.state, sequence: row.sequence, events };
  }

  /** Returns all events of these runs so far, by run. */
  async eventsOf(runIds: readonly string[]): Promise<Map<string, JournalEvent[]>> {
    const rows = await queryBuilder<RunTables>(this.sql)
      .selectFrom('workflow_run_journal as j')
      .innerJoin('workflow_run as r', join =>
        join.onRef('r.id', '=', 'j.run_id').onRef('r.created_at', '=', 'j.run_created_at'),
      )
      .select(['j.run_id as runId', 'j.first_sequence as first', 'j.events'])
      .$narrowType<JournalBatch>()
      .where('j.run_id', '=', anyUuid(runIds))
      .orderBy('j.run_id')
      .orderBy('j.first_sequence')
      .execute();
    const byRun = Map.groupBy(rows, row => row.runId);
    return new Map([...byRun].map(([id, batches]) => [id, batches.flatMap(eventsOf)]));
  }

  /** Returns the events with their contents from before masking. These contents must not leave the process. */
  async restoreContents(
    run: { id: string; createdAt: Date },
    events: readonly JournalEvent[],
    vault: Vault,
  ): Promise<readonly JournalEvent[]> {
    if (events.length === 0) return events;
    return withSealedContents(run.id, events, await this.sealedContents(run.id, run.createdAt), vault);
  }

  /** Returns the sealed originals of the contents that masking changed. */
  sealedContents(runId: string, runCreatedAt: Date): Promise<SealedContents[]> {
    return queryBuilder<RunTables>(this.sql)
      .selectFrom('workflow_run_journal')
      .select(['sealed_contents as sealed', 'first_sequence as firstSequence'])
      .$narrowType<{ sealed: string }>()
      .where('run_id', '=', runId)
      .where('run_created_at', '=', runCreatedAt)
      .where('sealed_contents', 'is not', null)
      .execute();
  }
}

/** Returns the events of a run with their contents from before masking. */
export function withSealedContents(
  runId: string,
  events: readonly JournalEvent[],
  parts: readonly SealedContents[],
  vault: Vault,
): readonly JournalEvent[] {
  const contents = new Map<string, string>();
  for (const { sealed, firstSequence } of parts) {
    const opened: Record<string, string> = JSON.parse(vault.open(sealed, contentsSealContext(runId, firstSequence)));
    for (const [key, content] of Object.entries(opened)) contents.set(key, content);
  }
  if (contents.size === 0) return events;
  return events.map(event => {
    if (!('content' in event)) return event;
    const content = contents.get(contentKey(event)) ?? event.content;
    const response = event.type === 'node.succeeded' ? contents.get(responseKey(event)) : undefined;
    return { ...event, content, ...(response === undefined ? {} : { response: JSON.parse(response) }) };
  });
}

/** Returns the events of journal rows in sequence order. */
export function eventsOfBatches(batches: readonly JournalBatch[]): JournalEvent[] {
  return batches.flatMap(eventsOf);
}

function eventsOf({ runId, first, events }: JournalBatch): JournalEvent[] {
  return fromStored(events, first, runId) as JournalEvent[];
}
