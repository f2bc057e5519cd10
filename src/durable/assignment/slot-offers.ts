import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Database, whenReachable } from '../../platform/database/database.js';
import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { notifyAll, notifySql } from '../../platform/messaging/bus.sql.js';
import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { HEARTBEAT_SECONDS } from '../queue.js';
import { assignmentChannel, formatOffer, OFFER_MS, SLOT_CHANNEL, SLOT_REQUEST } from './slot-messages.js';

const NOTIFY = notifySql(SLOT_CHANNEL);
/** Minimum interval in milliseconds between the responses to requests. */
const RESPONSE_MS = 500;
/** Time in milliseconds in which other processes commit the runs that they assign to a worker while it withdraws its offer. */
const WITHDRAWAL_MS = 200;
/** Time in milliseconds for which ids are kept: longer than a lease, after which the worker reads no run any more. */
const KEPT_MS = 2 * HEARTBEAT_SECONDS * 1_000;

/** The worker of this process. */
export interface SlotSource<Run> {
  /** The number of slots that each other process may use now. */
  readonly slotsToOffer: number;
  /** Executes a run that this process holds. */
  startAssigned(run: Run): void;
}

/** Reads the runs that other processes assign to a worker. */
export interface AssignedRuns<Run> {
  /** Returns those of these runs that the worker holds and whose leases have not expired. */
  read(ids: readonly string[], workerId: number): Promise<Run[]>;
  /** Returns the ids of all runs that the worker holds and whose first leases have not expired. */
  findIds(workerId: number): Promise<string[]>;
}

/**
 * Offers the free slots of a worker to processes that accept runs and execute none. Such a process inserts a run with the fencing
 * token of the worker, and the notification of the commit starts it here. It has neither a job nor a claim, and its
 * insertion already announces its first calls. A session lock shows the other processes that the worker lives.
 */
export class SlotOffers<Run extends { id: string }> {
  /** Identifies the worker in the fencing tokens of the runs that are assigned to it. */
  readonly workerId = randomInt(1, 2 ** 31);
  /** Ids that were received, with their times. A run is started only once, although its id may be received twice. */
  readonly #received = new Map<string, number>();
  readonly #listening: Promise<{ close(): Promise<void> }>[] = [];
  #unread: string[] = [];
  #reading: Promise<void> | undefined;
  #offeredAt = Number.NEGATIVE_INFINITY;
  /** Runs that may still be assigned before the offer is renewed without a request. */
  #leftOfOffer = 0;
  #isWithdrawn = false;

  constructor(
    private readonly parts: {
      database: Database;
      bus: Bus;
      log: Log;
      source: SlotSource<Run>;
      runs: AssignedRuns<Run>;
    },
  ) {}

  start(): void {
    const { bus, log } = this.parts;
    bus
      .holdLock([ADVISORY_LOCKS.worker, this.workerId])
      .catch(error => log.warn({ err: error }, 'locking the worker failed'));
    this.#listen(SLOT_CHANNEL, message => {
      if (message === SLOT_REQUEST && performance.now() - this.#offeredAt >= RESPONSE_MS) void this.#offer();
    });
    this.#listen(
      assignmentChannel(this.workerId),
      ids => this.#receive(ids.split(',')),
      // Notifications may have been missed.
      () => void this.#receiveMissed(),
    );
  }

  /** Withdraws the offer, then starts the runs that are still assigned. The worker must accept them until this resolves. */
  async stop(): Promise<void> {
    this.#isWithdrawn = true;
    if (performance.now() - this.#offeredAt < OFFER_MS) {
      await this.#notify(0);
      await setTimeout(WITHDRAWAL_MS);
    }
    for (const listening of this.#listening) await (await listening.catch(() => undefined))?.close();
    await this.#reading;
  }

  #listen(channel: string, onMessage: (message: string) => void, onReconnect = () => {}): void {
    const listening = this.parts.bus.listen(channel, onMessage, onReconnect);
    // The bus listens again when its connection is restored.
    listening.catch(error => this.parts.log.warn({ err: error }, `listening on ${channel} failed`));
    this.#listening.push(listening);
  }

  async #offer(): Promise<void> {
    const slots = this.parts.source.slotsToOffer;
    if (slots === 0 || this.#isWithdrawn || !this.parts.bus.holdsLock) return;
    this.#offeredAt = performance.now();
    this.#leftOfOffer = Math.floor(slots / 2);
    await this.#notify(slots);
  }

  async #notify(slots: number): Promise<void> {
    const { database, log } = this.parts;
    const message = formatOffer({ workerId: this.workerId, slots });
    await notifyAll(database, NOTIFY, [message]).catch(error => log.warn({ err: error }, 'offering slots failed'));
  }

  #receive(ids: readonly string[]): void {
    const now = performance.now();
    for (const [id, at] of this.#received) {
      if (now - at < KEPT_MS) break;
      this.#received.delete(id);
    }
    for (const id of ids) {
      if (this.#received.has(id)) continue;
      this.#received.set(id, now);
      this.#unread.push(id);
    }
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  /** Reads and starts the received runs, in one statement those that arrive during the previous one. */
  async #readAll(): Promise<void> {
    const { runs, source, log } = this.parts;
    while (this.#unread.length > 0) {
      const ids = this.#unread;
      this.#unread = [];
      failpoint('assigned.before-read');
      // Other workers take over the runs that this one cannot read in time.
      const signal = AbortSignal.timeout(HEARTBEAT_SECONDS * 1_000);
      const read = await whenReachable(() => runs.read(ids, this.workerId), signal).catch(error => {
        log.error({ err: error, runIds: ids }, 'reading assigned runs failed');
        return [];
      });
      failpoint('assigned.after-read');
      for (const run of read) source.startAssigned(run);
      this.#leftOfOffer -= ids.length;
      if (this.#leftOfOffer <= 0) void this.#offer();
    }
  }

  async #receiveMissed(): Promise<void> {
    const { runs, log } = this.parts;
    const ids = await whenReachable(() => runs.findIds(this.workerId)).catch(error => {
      log.error({ err: error }, 'finding assigned runs failed');
      return [];
    });
    this.#receive(ids);
  }
}
