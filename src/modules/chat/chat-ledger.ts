import { setTimeout as delay } from 'node:timers/promises';
import type { Usage } from '../../engine/ports.js';
import { DeferredBatch } from '../../platform/async/deferred-batch.js';
import { waitAtMost } from '../../platform/async/wait-at-most.js';
import type { Database } from '../../platform/database/database.js';
import { isDataFault, isRetryableDatabaseError } from '../../platform/database/database-errors.js';
import type { Log } from '../../platform/logging/log.js';
import type { PolledMetric } from '../../platform/metrics/polled-metric.js';
import type { LineSpool } from '../../platform/spool/line-spool.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { ChatEntry } from './chat-entry.js';
import { writeChats } from './chat-ledger.sql.js';
import { spoolMetrics } from './spool-metrics.js';

const RETRY_MS = 500;
/**
 * Calls that end within this time share a statement, because a statement for each costs more than all other work. An entry with a
 * reservation is written immediately, because the reservation reduces the budget of the next call.
 */
const BATCH_MS = 20;
/** Maximum entries of one statement. */
const MAX_BATCH = 500;
/** Maximum entries in memory that wait to be written. New calls are rejected above it. */
const MAX_WAITING = 20_000;
/** A slower statement may fail, so its entries are also written to the spool. */
const SLOW_MS = 200;
const REPLAY_MS = 1_000;
/** Interval of replays while this process writes nothing to the spool: another process may have died. */
const IDLE_REPLAY_MS = 10_000;
/** Time to write waiting entries at shutdown, and the polling interval. */
const SHUTDOWN_MS = 5_000;
const POLL_MS = 10;

/** Computes the entry of an ended call. Asynchronous if its tokens must be counted. */
export type EntryOfCall = () => ChatEntry | Promise<ChatEntry>;

interface ChatLedgerParts {
  database: Database;
  log: Log;
  spool: LineSpool;
  /** Called with the token usage of each completion. */
  reportUsage: (usage: Usage) => void;
}

/**
 * Writes the costs of chat completions to the ledger, after their responses. While the database is unavailable, entries are kept in a
 * spool on the local disk. This process, or a later one with the same `DATA_DIR`, replays the spool.
 */
export class ChatLedger {
  /** Ended calls whose entries are not computed yet. */
  readonly #endedCalls = new DeferredBatch<EntryOfCall>(entry => this.#compute(entry));
  readonly #newEntries = new DeferredBatch<ChatEntry>(entry => this.#enqueue(entry), {
    ms: BATCH_MS,
    maxItems: MAX_BATCH,
  });
  #queue: ChatEntry[] = [];
  #isWorking = false;
  /** Number of ended calls that are neither on the ledger nor in the spool. */
  #waiting = 0;
  /** Whether the database was unavailable or slow at the last write. Entries then go directly to the spool, until a replay writes some. */
  #isDatabaseDown = false;
  /** Whether this process has written to the spool since the last replay started. */
  #isSpoolUsed = false;
  #replaying: Promise<void> | undefined;
  #lastReplayAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #spoolErrors = 0;
  readonly #stop = new AbortController();

  constructor(private readonly parts: ChatLedgerParts) {}

  /** Whether too many entries wait, so that new calls are rejected. */
  get isBehind(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  get metrics(): PolledMetric[] {
    const { spool } = this.parts;
    return spoolMetrics({ spool, waiting: () => this.#waiting, errors: () => this.#spoolErrors });
  }

  /** Replays the entries of earlier processes, and starts the periodic replay. */
  start(): void {
    const replay = () => {
      const isDue = this.#isDatabaseDown || this.#isSpoolUsed || Date.now() - this.#lastReplayAt >= IDLE_REPLAY_MS;
      if (!isDue) return;
      this.#replaying ??= this.#replay().finally(() => {
        this.#replaying = undefined;
      });
    };
    this.#timer = setInterval(replay, REPLAY_MS);
    replay();
  }

  /** Records an ended call. `isReserved` means that it has a reservation, so that it is written immediately. */
  record(entry: EntryOfCall, isReserved: boolean): void {
    this.#waiting++;
    this.#endedCalls.add(entry);
    if (isReserved) this.#endedCalls.flush();
  }

  /** Resolves when all recorded calls are on the ledger or in the spool, or SHUTDOWN_MS have passed. */
  async settle(): Promise<void> {
    clearInterval(this.#timer);
    const until = Date.now() + SHUTDOWN_MS;
    while (this.#waiting > 0 && Date.now() < until) await delay(POLL_MS);
    this.#stop.abort();
    for (const entry of this.#queue)
      this.parts.log.error({ entry }, 'chat completion lost: neither on the ledger nor in the spool');
    await waitAtMost(SHUTDOWN_MS, this.#replaying);
  }

  #compute(entry: EntryOfCall): void {
    const onError = (error: unknown) => {
      this.#waiting--;
      this.parts.log.error({ err: error }, 'chat completion lost: its ledger entry could not be computed');
    };
    try {
      const result = entry();
      if (result instanceof Promise) result.then(computed => this.#add(computed)).catch(onError);
      else this.#add(result);
    } catch (error) {
      onError(error);
    }
  }

  #add(entry: ChatEntry): void {
    entry.usage.forEach(this.parts.reportUsage);
    this.#newEntries.add(entry);
    if (entry.reservation !== undefined || entry.keyReservation !== undefined) this.#newEntries.flush();
  }

  #enqueue(entry: ChatEntry): void {
    this.#queue.push(entry);
    if (this.#isWorking) return;
    this.#isWorking = true;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    let isFresh = true;
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#queue.slice(0, MAX_BATCH);
      const isPersisted = await this.#persist(batch, isFresh);
      // The next batch contains the entries of a failed one, which the database may have written.
      isFresh = isPersisted;
      if (isPersisted) {
        this.#queue = this.#queue.slice(batch.length);
        this.#waiting -= batch.length;
      } else await delay(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
    this.#isWorking = false;
  }

  /**
   * Writes the batch to the ledger or, if that fails, to the spool. If both fail, returns false. `isFresh` means that the
   * batch was not sent before.
   */
  async #persist(batch: ChatEntry[], isFresh: boolean): Promise<boolean> {
    const isTried = !this.#isDatabaseDown;
    if (isTried && (await this.#tryWrite(batch, isFresh))) return true;
    if (await this.#trySpool(batch)) return true;
    return !isTried && this.#tryWrite(batch, false);
  }

  /** Returns false if the database rejects the batch or takes longer than SLOW_MS. The statement may still succeed later. */
  async #tryWrite(batch: ChatEntry[], isFresh: boolean): Promise<boolean> {
    const timer = new AbortController();
    const writing = this.#write(batch, isFresh).then(
      () => true,
      error => this.#logRefusal(error),
    );
    const isWritten = await Promise.race([writing, delay(SLOW_MS, false, { signal: timer.signal }).catch(() => false)]);
    timer.abort();
    this.#isDatabaseDown = !isWritten;
    return isWritten;
  }

  #logRefusal(error: unknown): false {
    const { log } = this.parts;
    if (!isRetryableDatabaseError(error)) log.error({ err: error }, 'ledger not written; entries kept in the spool');
    else if (!this.#isDatabaseDown) log.warn({ err: error }, 'database unavailable; ledger entries kept in the spool');
    return false;
  }

  async #trySpool(batch: ChatEntry[]): Promise<boolean> {
    try {
      await this.parts.spool.append(batch);
      this.#isSpoolUsed = true;
      return true;
    } catch (error) {
      this.#spoolErrors++;
      const message = 'ledger spool not written: free disk space or correct the permissions of DATA_DIR/spool';
      this.parts.log.error({ err: error, entries: batch.length }, message);
      return false;
    }
  }

  async #replay(): Promise<void> {
    const { spool, log } = this.parts;
    this.#lastReplayAt = Date.now();
    this.#isSpoolUsed = false;
    try {
      const count = await spool.replay(
        entries => this.#write(entries as ChatEntry[], false),
        async line => {
          await spool.setAside(line, 'not JSON');
          log.error({}, 'spool line set aside: not JSON');
        },
      );
      // A replay that found nothing has not tested the database.
      if (count === 0) return;
      this.#isDatabaseDown = false;
      log.info({ count }, 'spooled entries written to the ledger');
    } catch (error) {
      this.#isSpoolUsed = true;
      if (isRetryableDatabaseError(error)) this.#isDatabaseDown = true;
      else log.error({ err: error }, 'ledger spool not replayed; next attempt at the next interval');
    }
  }

  /** Writes entries in one statement. If the database rejects an entry, writes them individually and sets the invalid one aside. */
  async #write(entries: ChatEntry[], isFresh: boolean): Promise<void> {
    const { database, spool, log } = this.parts;
    try {
      failpoint('chat-ledger.before');
      await writeChats(database, entries, isFresh);
      failpoint('chat-ledger.after');
    } catch (error) {
      if (!isDataFault(error)) throw error;
      if (entries.length > 1) {
        for (const entry of entries) await this.#write([entry], false);
        return;
      }
      await spool.setAside(entries[0], String(error));
      log.error({ err: error, entry: entries[0] }, 'chat completion set aside: the database rejects its values');
    }
  }
}
