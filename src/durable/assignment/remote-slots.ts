import type { Sql } from '../../platform/database/database.js';
import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { notifyAll, notifySql } from '../../platform/messaging/bus.sql.js';
import type { RunSlots } from './run-slots.js';
import { OFFER_MS, parseOffer, REQUEST_MS, SLOT_CHANNEL, SLOT_REQUEST, type SlotOffer } from './slot-messages.js';

const NOTIFY = notifySql(SLOT_CHANNEL);

/**
 * The slots that the workers of other processes offer to this one, which executes no runs. A run that gets one is inserted as
 * claimed by that worker and needs no job (`SlotOffers`). Runs without a slot are queued.
 */
export class RemoteSlots {
  readonly #offers = new Map<number, SlotOffer & { expiresAt: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    private readonly sql: Sql,
    private readonly bus: Pick<Bus, 'listen'>,
    private readonly log: Pick<Log, 'debug' | 'warn'>,
  ) {}

  start(): void {
    // Withdrawals may have been missed before a reconnect.
    const onReconnect = () => this.#offers.clear();
    // The bus listens again when its connection is restored.
    this.bus
      .listen(SLOT_CHANNEL, message => this.#receive(message), onReconnect)
      .catch(error => this.log.warn({ err: error }, 'listening for offered slots failed'));
    void this.#request();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#offers.clear();
  }

  /** Whether a run that is inserted now gets a slot. */
  get startsSoon(): boolean {
    return this.#largest !== undefined;
  }

  /** Reserves slots of the worker that offers most. Its process starts the runs when their rows are committed. */
  reserveSlots(limit: number): RunSlots<unknown> | undefined {
    const offer = this.#largest;
    if (!offer) return undefined;
    const { workerId, offeredAt, slots } = offer;
    const count = Math.min(limit, slots);
    offer.slots -= count;
    return { count, offer: { workerId, offeredAt }, discardOffer: () => this.#offers.delete(workerId) };
  }

  #receive(message: string): void {
    const offer = parseOffer(message);
    if (!offer || this.#isStopped) return;
    if (offer.slots === 0) this.#offers.delete(offer.workerId);
    else this.#offers.set(offer.workerId, { ...offer, expiresAt: performance.now() + OFFER_MS });
  }

  get #largest(): SlotOffer | undefined {
    let largest: SlotOffer | undefined;
    const now = performance.now();
    for (const offer of this.#offers.values()) {
      if (offer.expiresAt < now) this.#offers.delete(offer.workerId);
      else if (offer.slots > (largest?.slots ?? 0)) largest = offer;
    }
    return largest;
  }

  /** Requests offers every `REQUEST_MS` until `stop`. */
  async #request(): Promise<void> {
    await notifyAll(this.sql, NOTIFY, [SLOT_REQUEST]).catch(error =>
      this.log.debug({ err: error }, 'requesting slots failed'),
    );
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#request(), REQUEST_MS).unref();
  }
}
