import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../../../durable/queue.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { Bell } from '../../../platform/messaging/bell.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import type { Metrics } from '../../../platform/metrics/metrics.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { WEBHOOK_CHANNEL, WEBHOOK_QUEUE, type WebhookWakeUp } from '../webhook-outbox.js';
import { DeliveryLanes } from './delivery-lanes.js';
import type { Attempt, TakenDelivery } from './webhook-attempt.js';
import type { WebhookClaims } from './webhook-claims.js';
import type { SecretsOf, WebhookSender } from './webhook-sender.js';

const MAX_FETCH = 50;
/** Deliveries are claimed in batches: the lanes that become free within this time are filled by one statement. */
const CLAIM_EVERY_MS = 20;
/** The queue is looked at this often even when nothing rang: retries ring nobody. */
const BACKSTOP_MS = 1_000;
const SWEEP_MS = 5_000;
/** A delivery that nobody took within this time is called out again. */
const STRANDED_SECONDS = 5;

/**
 * Sends webhooks. A wake-up says that a project has due deliveries; from there the rows carry the work, claimed project
 * by project in turn, and the wake-up is acknowledged. Whatever is lost with a process is found by the sweep.
 */
export class WebhookDeliveryJob {
  readonly kind = 'webhook';
  /** Projects that may have due deliveries, in the order in which they are served. */
  readonly #projectsWithDueDeliveries = new Set<number>();
  readonly #active = new Set<Promise<void>>();
  readonly #lanes = new DeliveryLanes();
  readonly #abort = new AbortController();
  readonly #bell = new Bell();
  #stopping = false;
  #loop: Promise<void> | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #stopListening: () => Promise<void> = async () => {};

  constructor(
    private readonly queue: Queue,
    private readonly bus: Bus,
    private readonly claims: WebhookClaims,
    private readonly sender: WebhookSender,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  start(): void {
    const unsubscribe = this.queue.onArrival(WEBHOOK_QUEUE, () => this.#bell.ring());
    const listening = this.#listen();
    this.#stopListening = async () => {
      unsubscribe();
      await (await listening)?.close();
    };
    this.#loop = this.#work();
    this.#sweep = setInterval(
      () => void this.#guarded('looking for stranded webhooks', () => this.#callOut()),
      SWEEP_MS,
    );
  }

  /** Takes no more deliveries, lets those under way finish within `graceMs`, then hands the rest back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#sweep);
    this.#bell.ring();
    await this.#loop;
    await this.#stopListening();
    const timer = setTimeout(() => this.#abort.abort(new Error('the worker stops')), graceMs);
    await Promise.all(this.#active);
    clearTimeout(timer);
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      const began = performance.now();
      const isBusy = await this.#guarded('taking webhooks', () => this.#take());
      if (!isBusy) await this.#bell.rest(BACKSTOP_MS);
      const early = CLAIM_EVERY_MS - (performance.now() - began);
      if (early > 0 && !this.#stopping) await sleep(early);
    }
  }

  /** Attempts under way. */
  get active(): number {
    return this.#lanes.busy;
  }

  /** True when there may be more to take at once. */
  async #take(): Promise<boolean> {
    const jobs = await this.queue.boss.fetch<WebhookWakeUp>(WEBHOOK_QUEUE, { batchSize: MAX_FETCH });
    for (const { data } of jobs) this.#projectsWithDueDeliveries.add(data.projectId);
    if (jobs.length > 0)
      await this.queue.boss.deleteJob(
        WEBHOOK_QUEUE,
        jobs.map(job => job.id),
      );
    const begun = await this.#serve();
    return begun > 0 || jobs.length === MAX_FETCH;
  }

  /** Serves projects with due deliveries from the first on; one that may have more goes to the end of the line. */
  async #serve(): Promise<number> {
    const rooms = this.#lanes.rooms(this.#projectsWithDueDeliveries);
    if (rooms.size === 0) return 0;
    const taken = await this.claims.claim(rooms);
    if (taken.length > 0) failpoint('webhook.taken');
    const takenOf = new Map<number, number>();
    const secrets = this.sender.secretsOnce();
    for (const delivery of taken) {
      takenOf.set(delivery.projectId, (takenOf.get(delivery.projectId) ?? 0) + 1);
      this.#begin(delivery, secrets);
    }
    for (const [projectId, room] of rooms) {
      this.#projectsWithDueDeliveries.delete(projectId);
      if (takenOf.get(projectId) === room) this.#projectsWithDueDeliveries.add(projectId);
    }
    return taken.length;
  }

  #begin(delivery: TakenDelivery, secrets: SecretsOf): void {
    const { projectId } = delivery;
    let attempt: Attempt | undefined;
    this.#lanes.begin(projectId);
    const done = this.#attempt(delivery, secrets, made => {
      attempt = made;
    })
      .catch(error => this.log.warn({ err: error, deliveryId: delivery.id }, 'a webhook was given up for now'))
      .finally(() => {
        this.#active.delete(done);
        this.#lanes.end(projectId, attempt?.verdict === 'delivered', attempt?.durationMs ?? 0);
        this.#bell.ring();
      });
    this.#active.add(done);
  }

  async #attempt(delivery: TakenDelivery, secrets: SecretsOf, onMade: (attempt: Attempt) => void): Promise<void> {
    if (delivery.isOff) return this.claims.settle(delivery, unmade('failed', SWITCHED_OFF));
    const { signal } = this.#abort;
    let attempt: Attempt;
    try {
      attempt = await this.sender.send(delivery, signal, secrets);
    } catch (error) {
      if (signal.aborted) return this.claims.handBack(delivery);
      if (isRetryableDatabaseError(error)) throw error;
      // A fault of ours counts as an attempt: a delivery that meets it each time ends, too.
      this.log.error({ err: error, deliveryId: delivery.id }, 'a webhook could not be sent');
      attempt = unmade('retry', 'The service failed before it could send.');
    }
    onMade(attempt);
    this.metrics.webhookTried(attempt.verdict);
    failpoint('webhook.sent');
    await this.claims.settle(delivery, attempt);
    failpoint('webhook.settled');
  }

  async #callOut(): Promise<void> {
    const stranded = await this.claims.stranded(STRANDED_SECONDS);
    for (const projectId of stranded) this.#projectsWithDueDeliveries.add(projectId);
    if (stranded.length > 0) this.#bell.ring();
  }

  /** Wake-ups from now on, and what was due before: their wake-ups were sent while this process did not listen. */
  #listen(): Promise<{ close(): Promise<void> } | undefined> {
    const look = async () => {
      for (const projectId of await this.claims.stranded(0)) this.#projectsWithDueDeliveries.add(projectId);
      this.#bell.ring();
    };
    const missed = () => void this.#guarded('looking for webhooks', look);
    return this.#guarded('listening for webhooks', async () => {
      const listening = await this.bus.listen(
        WEBHOOK_CHANNEL,
        projectId => {
          this.#projectsWithDueDeliveries.add(Number(projectId));
          this.#bell.ring();
        },
        missed,
      );
      missed();
      return listening;
    });
  }

  /** A fault of one round (the database is away) must not end the loop: the next round tries again. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}

const SWITCHED_OFF = 'Not sent: the webhook of the project was switched off, or its address taken away.';

function unmade(verdict: Attempt['verdict'], error: string): Attempt {
  return { at: new Date(), status: null, error, durationMs: 0, verdict, retryAfterSeconds: null };
}
