import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { Notifier } from '../../platform/messaging/notifier.js';
import { MAINTENANCE_TOPIC, type MaintenanceService } from './maintenance.service.js';
import type { Maintenance } from './maintenance.type.js';

/** The interval of reads without a notification. It limits the delay after a lost notification. */
const BACKSTOP_MS = 5_000;
const RETRY_MS = 500;

/** The maintenance mode as known to this process. It is read at startup and after every change. */
export class MaintenanceWatch {
  #current: Maintenance = { isOn: false, message: '', since: null };
  #isStopped = false;
  #ended: Promise<void> = Promise.resolve();
  readonly #bell = new Notifier();

  constructor(
    private readonly maintenance: MaintenanceService,
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  get current(): Maintenance {
    return this.#current;
  }

  async start(): Promise<void> {
    const unsubscribe = this.bus.subscribe(MAINTENANCE_TOPIC, () => this.#bell.ring());
    this.#bell.listen();
    this.#current = await this.maintenance.read();
    this.#ended = this.#follow().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#bell.ring();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    let restMs = BACKSTOP_MS;
    for (;;) {
      await this.#bell.rest(restMs);
      if (this.#isStopped) return;
      this.#bell.listen();
      restMs = (await this.#look()) ? BACKSTOP_MS : RETRY_MS;
    }
  }

  /** Reads the mode. If the database is unavailable, the process keeps the last known mode. */
  async #look(): Promise<boolean> {
    try {
      this.#current = await this.maintenance.read();
      return true;
    } catch (error) {
      this.log.warn({ reason: (error as Error).message }, 'maintenance mode not read, retrying');
      return false;
    }
  }
}
