import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder, type Table } from '../../platform/database/typed-queries.js';
import type { Log } from '../../platform/logging/log.js';
import type { AnsweredCallsEntity } from './answered-calls.entity.js';

const WRITE_MS = 10_000;
/**
 * A process changes its id daily and counts from zero, so that the models of earlier days do not use up MAX_MODELS. The rows of
 * its earlier ids no longer change, like those of ended processes.
 */
const NEW_ID_MS = 24 * 3_600_000;
const RETENTION_DAYS = 30;
/** Callers choose model names, so their number is bounded. Calls of further models are not counted. */
const MAX_MODELS = 1_000;
/** Process id of the rows that sum up the rows that have not changed for RETENTION_DAYS. */
const ENDED_PROCESSES = '00000000-0000-0000-0000-000000000000';

interface ChatTables {
  answered_calls: Table<typeof AnsweredCallsEntity>;
}

interface Count {
  provider: string;
  model: string;
  calls: number;
}

/**
 * Counts the chat completions that this process has answered, by provider and model, independently of the ledger. `reconcile` reports
 * rows that are missing on the ledger as a difference. Counts are written 10 s late, after their ledger rows. A killed process loses the
 * counts of its last 20 s.
 */
export class AnsweredCalls {
  #process = randomUUID();
  #since: number;
  #counts = new Map<string, Count>();
  /** The counts at the previous tick of the timer, which the next tick writes. */
  #previousCounts: Count[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    private readonly now = Date.now,
  ) {
    this.#since = now();
  }

  count(provider: string, model: string): void {
    const key = JSON.stringify([provider, model]);
    const entry = this.#counts.get(key);
    if (entry) entry.calls++;
    else if (this.#counts.size < MAX_MODELS) this.#counts.set(key, { provider, model, calls: 1 });
  }

  start(): void {
    this.#timer = setInterval(() => void this.tick(), WRITE_MS);
  }

  /** Writes the counts of the previous tick. After a day it also changes the process id, so ticks do not overlap. */
  tick(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeDue()).catch(this.#logFailure);
    return this.#writing;
  }

  /** Writes all counts. Call it after the ledger has settled. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#writing = this.#writing.then(() => this.#write([...this.#counts.values()])).catch(this.#logFailure);
    await this.#writing;
  }

  async #writeDue(): Promise<void> {
    const due = this.#previousCounts;
    this.#previousCounts = [...this.#counts.values()].map(count => ({ ...count }));
    await this.#write(due);
    await this.#rotate(due);
  }

  async #write(counts: readonly Count[]): Promise<void> {
    if (counts.length === 0) return;
    await queryBuilder<ChatTables>(this.database)
      .insertInto('answered_calls')
      .values(counts.map(count => ({ process: this.#process, ...count })))
      // Counts only grow, so `greatest` ignores a delayed statement with earlier counts.
      .onConflict(conflict =>
        conflict.columns(['process', 'provider', 'model']).doUpdateSet(({ fn, ref }) => ({
          calls: fn<number>('greatest', [ref('answered_calls.calls'), ref('excluded.calls')]),
          updated_at: NOW,
        })),
      )
      .execute();
  }

  /** After a day, continues with a new process id and the counts that are not written yet. */
  async #rotate(written: readonly Count[]): Promise<void> {
    if (this.now() - this.#since < NEW_ID_MS) return;
    this.#process = randomUUID();
    this.#since = this.now();
    for (const { provider, model, calls } of written) {
      const key = JSON.stringify([provider, model]);
      const left = (this.#counts.get(key)?.calls ?? calls) - calls;
      if (left > 0) this.#counts.set(key, { provider, model, calls: left });
      else this.#counts.delete(key);
    }
    this.#previousCounts = [];
    await this.#mergeEnded();
  }

  /** Merges the counts of ended processes into one row per provider and model. */
  async #mergeEnded(): Promise<void> {
    const isEnded = expression<boolean>`updated_at < now() - make_interval(days => ${RETENTION_DAYS})`;
    await queryBuilder<ChatTables>(this.database)
      .with('ended', tables =>
        tables
          .deleteFrom('answered_calls')
          .where('process', '<>', ENDED_PROCESSES)
          .where(isEnded)
          .returning(['provider', 'model', 'calls']),
      )
      .insertInto('answered_calls')
      .columns(['process', 'provider', 'model', 'calls'])
      .expression(({ selectFrom, fn }) =>
        selectFrom('ended')
          .select([
            expression<string>`${ENDED_PROCESSES}::uuid`.as('process'),
            'provider',
            'model',
            fn.sum<number>('calls').as('calls'),
          ])
          .groupBy(['provider', 'model'])
          .orderBy('provider')
          .orderBy('model'),
      )
      .onConflict(conflict =>
        conflict.columns(['process', 'provider', 'model']).doUpdateSet({
          calls: expression<number>`answered_calls.calls + excluded.calls`,
          updated_at: NOW,
        }),
      )
      .execute();
  }

  readonly #logFailure = (error: unknown): void => {
    this.log.warn({ err: error }, 'answered calls not written; next attempt at the next interval');
  };
}
