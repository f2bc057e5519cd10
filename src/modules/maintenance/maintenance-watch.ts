import type { Log } from '../../platform/logging/log.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { Notifier } from '../../platform/messaging/notifier.js';
import { MAINTENANCE_TOPIC, type MaintenanceService } from './maintenance.service.js';
import type { Maintenance } from './maintenance.type.js';

/** Looked at this often even when nothing rang: a notification lost with its connection costs no more than this. */
const BACKSTOP_MS = 5_000;
const RETRY_MS = 500;

/** What this process knows of the switch: read at the start, and again whenever somebody turns it. */
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

  /** While the database is away the process goes on as it last knew. */
  async #look(): Promise<boolean> {
    try {
      this.#current = await this.maintenance.read();
      return true;
    } catch (error) {
      this.log.warn({ reason: (error as Error).message }, 'the maintenance switch could not be read; trying again');
      return false;
    }
  }
}
