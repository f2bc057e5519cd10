import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { Notifier } from '../../platform/messaging/notifier.js';
import { MAINTENANCE_TOPIC, type MaintenanceService } from './maintenance.service.js';
import type { Maintenance } from './maintenance.type.js';

/** The interval of reads without a notification. It limits the delay after a lost notification. */
const POLL_MS = 5_000;
const RETRY_MS = 500;

/** The maintenance mode as known to this process. It is read at startup and after every change. */
export class MaintenanceState {
  #current: Maintenance = { isOn: false, message: '', since: null };
  #isStopped = false;
  #ended: Promise<void> = Promise.resolve();
  readonly #notifier = new Notifier();

  constructor(
    private readonly maintenance: MaintenanceService,
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  get current(): Maintenance {
    return this.#current;
  }

  async start(): Promise<void> {
    const unsubscribe = this.bus.watch(MAINTENANCE_TOPIC, () => this.#notifier.notify());
    this.#notifier.listen();
    this.#current = await this.maintenance.read();
    this.#ended = this.#refreshLoop().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#notifier.notify();
    await this.#ended;
  }

  async #refreshLoop(): Promise<void> {
    let waitMs = POLL_MS;
    for (;;) {
      await this.#notifier.wait(waitMs);
      if (this.#isStopped) return;
      this.#notifier.listen();
      waitMs = (await this.#refresh()) ? POLL_MS : RETRY_MS;
    }
  }

  /** Reads the mode. If the database is unavailable, the process keeps the last known mode. */
  async #refresh(): Promise<boolean> {
    try {
      this.#current = await this.maintenance.read();
      return true;
    } catch (error) {
      this.log.warn({ reason: (error as Error).message }, 'maintenance mode not read, retrying');
      return false;
    }
  }
}
