import { setTimeout as delay } from 'node:timers/promises';
import type { Usage } from '../../engine/ports.js';
import { DeferredBatch } from '../../platform/async/deferred-batch.js';
import type { Database } from '../../platform/database/database.js';
import { isDataFault, isRetryableDatabaseError } from '../../platform/database/database-errors.js';
import type { Log } from '../../platform/logging/log.js';
import type { Reading } from '../../platform/metrics/reading.js';
import type { LineSpool } from '../../platform/spool/line-spool.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { ChatEntry } from './chat-entry.js';
import { writeChats } from './chat-ledger.sql.js';
import { spoolReadings } from './spool-readings.js';

const RETRY_MS = 500;
/**
 * Calls that end within so long are written together: a statement for each would cost more than the rest of them. What
 * holds a reservation is written at once, or it would stand in the way of the next call.
 */
const GATHER_MS = 20;
/** Entries of one statement. */
const MOST_AT_ONCE = 500;
/** Entries in memory that wait to be written: past it nothing more is begun. */
const MAX_WAITING = 20_000;
/** A statement that takes longer than this may not succeed: its entries go to the spool as well. */
const SLOW_MS = 200;
const REPLAY_MS = 1_000;
/** How often the spool is looked at although this process has put nothing there: another one may have died. */
const LOOK_FOR_OTHERS_MS = 10_000;
/** The time for the rest at shutdown, and how often it is checked. */
const LAST_CHANCE_MS = 5_000;
const LOOK_MS = 10;

/** Of a call that has ended what it comes to: at once, unless its tokens have to be counted. */
export type EntryOfCall = () => ChatEntry | Promise<ChatEntry>;

interface ChatLedgerParts {
  database: Database;
  log: Log;
  spool: LineSpool;
  /** Called with the use of each completion. */
  tell: (usage: Usage) => void;
}

/**
 * Writes what chat completions cost, after their answers. While the database does not take an entry, it is kept in the
 * spool on the local disk, and written from there once the database takes it: by this process, or by one that starts
 * after it with the same `DATA_DIR`.
 */
export class ChatLedger {
  /** Calls whose answers have left. */
  readonly #ended = new DeferredBatch<EntryOfCall>(entry => this.#take(entry));
  readonly #unwritten = new DeferredBatch<ChatEntry>(entry => this.#enqueue(entry), {
    ms: GATHER_MS,
    most: MOST_AT_ONCE,
  });
  #queue: ChatEntry[] = [];
  #working = false;
  /** Calls that have ended and are neither written nor in the spool. */
  #waiting = 0;
  /** Whether the database refuses: entries go to the spool without being sent, until a replay succeeds. */
  #isRefused = false;
  /** Whether this process has put something into the spool since the last replay began. */
  #isSpoolUsed = false;
  #replaying: Promise<void> | undefined;
  #lastReplayAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #spoolErrors = 0;
  readonly #stop = new AbortController();

  constructor(private readonly parts: ChatLedgerParts) {}

  get isBehind(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  get readings(): Reading[] {
    const { spool } = this.parts;
    return spoolReadings({ spool, waiting: () => this.#waiting, errors: () => this.#spoolErrors });
  }

  /** Writes what earlier processes left in the spool, and from then on what this one does. */
  start(): void {
    const replay = () => {
      const isDue = this.#isRefused || this.#isSpoolUsed || Date.now() - this.#lastReplayAt >= LOOK_FOR_OTHERS_MS;
      if (!isDue) return;
      this.#replaying ??= this.#replay().finally(() => {
        this.#replaying = undefined;
      });
    };
    this.#timer = setInterval(replay, REPLAY_MS);
    replay();
  }

  /**
   * Takes what `entry` comes to. `isReserved`: something is set aside for it, which the next call may need.
   */
  record(entry: EntryOfCall, isReserved: boolean): void {
    this.#waiting++;
    this.#ended.add(entry);
    if (isReserved) this.#ended.flush();
  }

  /** Resolves when all that was recorded is on the ledger or in the spool, or the time for it is up. */
  async settle(): Promise<void> {
    clearInterval(this.#timer);
    const until = Date.now() + LAST_CHANCE_MS;
    while (this.#waiting > 0 && Date.now() < until) await delay(LOOK_MS);
    this.#stop.abort();
    for (const entry of this.#queue)
      this.parts.log.error({ entry }, 'a chat completion is neither on the ledger nor in the spool');
    await Promise.race([this.#replaying, delay(LAST_CHANCE_MS, undefined, { ref: false })]);
  }

  #take(entry: EntryOfCall): void {
    const lose = (error: unknown) => {
      this.#waiting--;
      this.parts.log.error({ err: error }, 'a chat completion is not on the ledger');
    };
    try {
      const made = entry();
      if (made instanceof Promise) made.then(one => this.#add(one)).catch(lose);
      else this.#add(made);
    } catch (error) {
      lose(error);
    }
  }

  #add(entry: ChatEntry): void {
    entry.usage.forEach(this.parts.tell);
    this.#unwritten.add(entry);
    if (entry.reservation !== undefined || entry.keyReservation !== undefined) this.#unwritten.flush();
  }

  #enqueue(entry: ChatEntry): void {
    this.#queue.push(entry);
    if (this.#working) return;
    this.#working = true;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (let isFresh = true; this.#queue.length > 0 && !this.#stop.signal.aborted; ) {
      const batch = this.#queue.slice(0, MOST_AT_ONCE);
      isFresh = await this.#isKept(batch, isFresh);
      if (isFresh) {
        this.#queue = this.#queue.slice(batch.length);
        this.#waiting -= batch.length;
      } else await delay(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
    this.#working = false;
  }

  /** On the ledger, or in the spool; with a full disk on the ledger again. `isFresh`: the batch was not sent before. */
  async #isKept(batch: ChatEntry[], isFresh: boolean): Promise<boolean> {
    const isTried = !this.#isRefused;
    if (isTried && (await this.#isWritten(batch, isFresh))) return true;
    if (await this.#isSpooled(batch)) return true;
    return !isTried && this.#isWritten(batch, false);
  }

  /** False when the database refuses, and when it takes long: the statement may go on then. */
  async #isWritten(batch: ChatEntry[], isFresh: boolean): Promise<boolean> {
    const timer = new AbortController();
    const writing = this.#write(batch, isFresh).then(
      () => true,
      error => this.#refused(error),
    );
    const isWritten = await Promise.race([writing, delay(SLOW_MS, false, { signal: timer.signal }).catch(() => false)]);
    timer.abort();
    if (!isWritten) this.#isRefused = true;
    return isWritten;
  }

  #refused(error: unknown): false {
    const { log } = this.parts;
    if (!isRetryableDatabaseError(error)) log.error({ err: error }, 'the ledger cannot be written; entries are kept');
    else if (!this.#isRefused) log.warn({ err: error }, 'the database does not take the ledger; entries are kept');
    return false;
  }

  async #isSpooled(batch: ChatEntry[]): Promise<boolean> {
    try {
      await this.parts.spool.append(batch);
      this.#isSpoolUsed = true;
      return true;
    } catch (error) {
      this.#spoolErrors++;
      const message =
        'the spool of the ledger cannot be written: make room or correct the permissions of DATA_DIR/spool';
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
          await spool.setAside(line, 'no JSON');
          log.error({}, 'a line of the spool is no JSON: it was set aside');
        },
      );
      this.#isRefused = false;
      if (count > 0) log.info({ count }, 'entries of the spool are on the ledger');
    } catch (error) {
      this.#isSpoolUsed = true;
      if (isRetryableDatabaseError(error)) this.#isRefused = true;
      else log.error({ err: error }, 'the spool of the ledger cannot be replayed; it is tried again');
    }
  }

  /** One statement; entry by entry where one of them has a fault. That one is set aside. */
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
      log.error({ err: error, entry: entries[0] }, 'the database refuses a chat completion for ever: it was set aside');
    }
  }
}
