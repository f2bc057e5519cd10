import { randomInt } from 'node:crypto';
import { type Database, LEASE_STATEMENT, type Sql, whenReachable } from '../../platform/database/database.js';
import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { notifyAll, notifySql } from '../../platform/messaging/bus.sql.js';
import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../platform/sql/transaction-lock.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { HEARTBEAT_SECONDS } from '../queue.js';
import {
  ASSIGNMENT_CHANNEL_PREFIX,
  type Assignment,
  formatOffer,
  OFFER_MS,
  parseAssignment,
  SLOT_CHANNEL,
  SLOT_REQUEST,
} from './slot-messages.js';

const NOTIFY = notifySql(SLOT_CHANNEL);
/** Minimum interval in milliseconds between the responses to requests. */
const MIN_RESPONSE_INTERVAL_MS = 500;
/** Time in milliseconds for which ids are kept: longer than a lease, after which the worker starts no run any more. */
const RECEIVED_ID_TTL_MS = 2 * HEARTBEAT_SECONDS * 1_000;
/** A run whose offer is older, in milliseconds, is read: another worker may have taken it over. */
const MAX_OFFER_AGE_MS = (HEARTBEAT_SECONDS * 1_000) / 2;

/** The worker of this process. */
export interface SlotSource<Run> {
  /** The number of slots that each other process may fill now. */
  readonly slotsToOffer: number;
  /** Executes a run that this process holds. */
  startAssigned(run: Run): void;
}

/** Reads the runs that other processes assign to a worker. */
export interface AssignedRunReader<Run, Columns> {
  /**
   * Returns the run of a notification, or undefined after logging why it cannot be read. `ageMs`: maximum time since its lease
   * began.
   */
  restore(columns: Columns, ageMs: number): Run | undefined;
  /** Returns those of these runs that the worker holds and whose leases have not expired. */
  read(ids: readonly string[], workerId: number): Promise<Run[]>;
  /** Returns the ids of all runs that the worker holds and whose first leases have not expired. */
  findIds(workerId: number): Promise<string[]>;
}

/** The dependencies of `SlotOffers`. */
export interface SlotOffersParts<Run, Columns> {
  database: Database;
  bus: Bus;
  log: Log;
  source: SlotSource<Run>;
  reader: AssignedRunReader<Run, Columns>;
}

/**
 * Offers the free slots of a worker to processes that only accept runs. Such a process inserts a run with the fencing token of
 * the worker, and the notification of the commit, which contains the run, starts it here. The run has no job and is not claimed,
 * and its insertion already announces its first calls. A session lock shows the other processes that this worker accepts runs.
 */
export class SlotOffers<Run extends { id: string }, Columns extends { id: string }> {
  /** Identifies the worker in the fencing tokens of the runs that are assigned to it. */
  readonly workerId = randomInt(1, 2 ** 31);
  /** Ids that were received, with their times. A run is started only once, although its id may be received twice. */
  readonly #received = new Map<string, number>();
  readonly #listening: Promise<{ close(): Promise<void> }>[] = [];
  #unread: string[] = [];
  /** The number of received runs that are being read. */
  #pending = 0;
  #reading: Promise<void> | undefined;
  /** Settles after the last notification. Notifications are sequential, so that none overtakes another. */
  #notifying: Promise<void> = Promise.resolve();
  #respondedAt = Number.NEGATIVE_INFINITY;
  /** When the current offer expires. */
  #offeredUntil = Number.NEGATIVE_INFINITY;
  /** Runs that may still be assigned before the offer is renewed without a request. */
  #leftOfOffer = 0;
  #isStopping = false;

  constructor(private readonly parts: SlotOffersParts<Run, Columns>) {}

  start(): void {
    const { bus, log } = this.parts;
    bus
      .holdLock([ADVISORY_LOCKS.worker, this.workerId])
      .catch(error => log.warn({ err: error }, 'taking the session lock of the worker failed'));
    // First, because runs are assigned after the response to a request.
    this.#listen(
      `${ASSIGNMENT_CHANNEL_PREFIX}${this.workerId}`,
      message => this.#receiveAssignment(message),
      // Notifications may have been missed.
      () => void this.#receiveMissed(),
    );
    this.#listen(SLOT_CHANNEL, message => {
      if (message === SLOT_REQUEST) this.#respond();
    });
  }

  /** Withdraws the offer, for a worker that has other work. */
  withdraw(): void {
    if (performance.now() >= this.#offeredUntil) return;
    this.#offeredUntil = Number.NEGATIVE_INFINITY;
    this.#notify(0);
  }

  /** Accepts no more runs and starts those that are already assigned. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.withdraw();
    await this.#endAssignments().catch(error =>
      this.parts.log.warn({ err: error }, 'waiting for insertions of assigned runs failed'),
    );
    if (Number.isFinite(this.#respondedAt)) await this.#receiveMissed();
    await this.#reading;
    for (const listening of this.#listening) await (await listening.catch(() => undefined))?.close();
    await this.#notifying;
  }

  /** Resolves when no more runs are assigned to this worker. */
  async #endAssignments(): Promise<void> {
    const { bus, database } = this.parts;
    await bus.releaseLock();
    // Insertions that have seen the session lock share this one until their commit.
    const lock = (sql: Sql) => takeTransactionLock(sql, ADVISORY_LOCKS.assignment, this.workerId);
    if (Number.isFinite(this.#respondedAt)) await database.transaction(lock, LEASE_STATEMENT);
  }

  #listen(channel: string, onMessage: (message: string) => void, onReconnect = () => {}): void {
    const listening = this.parts.bus.listen(channel, onMessage, onReconnect);
    // The bus listens again when its connection is restored.
    listening.catch(error => this.parts.log.warn({ err: error, channel }, 'listening for slots failed'));
    this.#listening.push(listening);
  }

  #respond(): void {
    const now = performance.now();
    if (now - this.#respondedAt < MIN_RESPONSE_INTERVAL_MS) return;
    this.#respondedAt = now;
    this.#offer();
  }

  /** Offers the free slots now, or withdraws an earlier offer if there are none. */
  #offer(): void {
    const { bus, source } = this.parts;
    const slots = this.#isStopping || !bus.holdsLock ? 0 : source.slotsToOffer - this.#pending;
    if (slots <= 0) return this.withdraw();
    this.#offeredUntil = performance.now() + OFFER_MS;
    this.#leftOfOffer = Math.floor(slots / 2);
    this.#notify(slots);
  }

  #notify(slots: number): void {
    const { database, log } = this.parts;
    const message = formatOffer({ workerId: this.workerId, slots, offeredAt: Math.floor(performance.now()) });
    this.#notifying = this.#notifying
      .then(() => notifyAll(database, NOTIFY, [message]))
      .catch(error => log.warn({ err: error }, 'offering slots failed'));
  }

  #receiveAssignment(message: string): void {
    failpoint('assigned.received');
    const assignment = this.#parse(message);
    if (!assignment) return;
    const { id, content } = assignment;
    const ageMs = content ? performance.now() - content.offeredAt : Number.NaN;
    if (!content || !(ageMs >= 0 && ageMs < MAX_OFFER_AGE_MS)) return this.#receive([id]);
    if (!this.#remember(id)) return;
    const run = this.parts.reader.restore(content.columns, ageMs);
    if (run) this.parts.source.startAssigned(run);
    this.#countStarted(1);
  }

  #parse(message: string): Assignment<Columns> | undefined {
    try {
      return parseAssignment<Columns>(message);
    } catch {
      // The error may contain a part of the message.
      this.parts.log.error('an assignment is malformed');
      return undefined;
    }
  }

  /** Receives runs that must be read. */
  #receive(ids: readonly string[]): void {
    for (const id of ids) {
      if (!this.#remember(id)) continue;
      this.#unread.push(id);
      this.#pending++;
    }
    // After this turn, in which further notifications of a transaction arrive.
    if (this.#unread.length > 0) this.#reading ??= Promise.resolve().then(() => this.#readAll());
  }

  /** Returns false for an id that was received before. */
  #remember(id: string): boolean {
    if (this.#received.has(id)) return false;
    const now = performance.now();
    for (const [other, at] of this.#received) {
      if (now - at < RECEIVED_ID_TTL_MS) break;
      this.#received.delete(other);
    }
    this.#received.set(id, now);
    return true;
  }

  #countStarted(count: number): void {
    this.#leftOfOffer -= count;
    if (this.#leftOfOffer <= 0) this.#offer();
  }

  /** Reads and starts the received runs. One statement reads those that arrive during the previous one. */
  async #readAll(): Promise<void> {
    const { reader, source, log } = this.parts;
    while (this.#unread.length > 0) {
      const ids = this.#unread;
      this.#unread = [];
      failpoint('assigned.before-read');
      const runs = await whenReachable(() => reader.read(ids, this.workerId), leaseSignal()).catch(error => {
        log.error({ err: error, runIds: ids }, 'reading assigned runs failed; other workers take them over');
        return [];
      });
      failpoint('assigned.after-read');
      for (const run of runs) source.startAssigned(run);
      this.#pending -= ids.length;
      this.#countStarted(ids.length);
    }
    // In the same turn as the end of the loop, so that no id arrives between them.
    this.#reading = undefined;
  }

  async #receiveMissed(): Promise<void> {
    const { reader, log } = this.parts;
    try {
      this.#receive(await whenReachable(() => reader.findIds(this.workerId), leaseSignal()));
    } catch (error) {
      log.error({ err: error }, 'finding assigned runs failed; other workers take them over');
    }
  }
}

/** After this time, other workers take over the runs that this one could not read. */
function leaseSignal(): AbortSignal {
  return AbortSignal.timeout(HEARTBEAT_SECONDS * 1_000);
}
