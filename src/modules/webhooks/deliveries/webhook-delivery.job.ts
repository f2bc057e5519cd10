import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectJobs } from '../../../durable/project-jobs.js';
import { HEARTBEAT_SECONDS, type Queue } from '../../../durable/queue.js';
import { type Database, whenReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import type { Log } from '../../../platform/logging/log.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import { Notifier } from '../../../platform/messaging/notifier.js';
import type { Metrics } from '../../../platform/metrics/metrics.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import {
  WEBHOOK_CHANNEL,
  WEBHOOK_PROJECT_QUEUE,
  WEBHOOK_RETRY_QUEUE,
  type WebhookOutbox,
  type WebhookRetry,
} from '../webhook-outbox.js';
import { DeliveryLanes } from './delivery-lanes.js';
import { LeasedProjects } from './leased-projects.js';
import type { Attempt, TakenDelivery } from './webhook-attempt.js';
import type { WebhookClaims } from './webhook-claims.js';
import type { LoadSecrets, WebhookSender } from './webhook-sender.js';

const MAX_FETCH = 50;
/** Projects of one process. Each costs a heartbeat. */
const MAX_HELD = 1_000;
/** Deliveries are claimed in batches: the lanes that become free within this time are filled by one statement. */
const CLAIM_EVERY_MS = 20;
/** The queues are looked at this often even without a notification: retries come without one. */
const BACKSTOP_MS = 1_000;
const RENEW_MS = (HEARTBEAT_SECONDS * 1_000) / 4;
/** A delivery whose outcome the database refuses for good is attempted again after this. */
const UNWRITTEN_MS = 60_000;

export interface WebhookDeliveryParts {
  queue: Queue;
  database: Database;
  bus: Bus;
  projects: ProjectJobs;
  outbox: WebhookOutbox;
  claims: WebhookClaims;
  sender: WebhookSender;
  log: Log;
  metrics: Metrics;
}

/**
 * Sends webhooks. A project with deliveries that are due has one job; the process that holds it sends them, many at the same
 * time, and ends the job when none is left. A delivery that failed has a deferred job of its own, which brings its project back.
 */
export class WebhookDeliveryJob {
  readonly kind = 'webhook';
  readonly #held: LeasedProjects;
  readonly #active = new Set<Promise<void>>();
  /** Ids of deliveries whose attempts have not been written yet. */
  readonly #underWay = new Set<string>();
  readonly #lanes = new DeliveryLanes();
  readonly #abort = new AbortController();
  readonly #bell = new Notifier();
  #stopping = false;
  #hasArrivals = true;
  #lookAgainAt = 0;
  #loop: Promise<void> | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #stopListening: () => Promise<void> = async () => {};

  constructor(private readonly parts: WebhookDeliveryParts) {
    this.#held = new LeasedProjects(parts.projects);
  }

  start(): void {
    const unsubscribe = this.parts.queue.onArrival(WEBHOOK_PROJECT_QUEUE, () => {
      this.#hasArrivals = true;
      this.#bell.notify();
    });
    const listening = this.#listen();
    this.#stopListening = async () => {
      unsubscribe();
      await (await listening)?.close();
    };
    this.#loop = this.#work();
    this.#renewIn();
  }

  /** Takes no more deliveries, lets those under way finish within `graceMs`, then hands the rest back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#bell.notify();
    await this.#loop;
    await this.#stopListening();
    const timer = setTimeout(() => this.#abort.abort(new Error('the worker stops')), graceMs);
    await Promise.all(this.#active);
    clearTimeout(timer);
    clearTimeout(this.#renewing);
    this.#renewing = undefined;
    await this.#guarded('handing webhooks back', () => this.#held.release());
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      const began = performance.now();
      const isBusy = await this.#guarded('taking webhooks', () => this.#take());
      if (!isBusy) await this.#bell.wait(BACKSTOP_MS);
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
    const isTime = performance.now() >= this.#lookAgainAt;
    if (isTime) await this.#bringBackRetries();
    // A process without free lanes leaves new projects to others for a while.
    if (isTime || (this.#hasArrivals && this.#lanes.free > 0)) await this.#fetch();
    const begun = await this.#serve();
    await this.#held.endQuiet(projectId => this.#lanes.busyOf(projectId) > 0);
    return begun > 0 || this.#hasArrivals;
  }

  async #fetch(): Promise<void> {
    this.#lookAgainAt = performance.now() + BACKSTOP_MS;
    this.#hasArrivals = false;
    const room = Math.min(MAX_FETCH, MAX_HELD - this.#held.size);
    if (room > 0 && (await this.#held.take(room)) === room) this.#hasArrivals = true;
  }

  /** Jobs of retries whose time has come become jobs of their projects. */
  async #bringBackRetries(): Promise<void> {
    const { queue, database, outbox } = this.parts;
    const jobs = await queue.boss.fetch<WebhookRetry>(WEBHOOK_RETRY_QUEUE, { batchSize: MAX_FETCH });
    if (jobs.length === 0) return;
    await database.transaction(async sql => {
      await outbox.wake(
        jobs.map(job => job.data.projectId),
        sql,
      );
      await queue.remove(
        WEBHOOK_RETRY_QUEUE,
        jobs.map(job => job.id),
        sql,
      );
    });
    if (jobs.length === MAX_FETCH) this.#hasArrivals = true;
  }

  /** Serves projects with due deliveries from the first on. */
  async #serve(): Promise<number> {
    const rooms = this.#lanes.rooms(this.#held.withNews);
    if (rooms.size === 0) return 0;
    this.#held.beginServing(rooms.keys());
    const taken = await this.parts.claims.claim(rooms, this.#underWay).catch(error => {
      for (const projectId of rooms.keys()) this.#held.notice(projectId);
      throw error;
    });
    if (taken.length > 0) failpoint('webhook.taken');
    const takenOf = new Map<number, number>();
    const secrets = this.parts.sender.secretsOnce();
    for (const delivery of taken) {
      takenOf.set(delivery.projectId, (takenOf.get(delivery.projectId) ?? 0) + 1);
      this.#begin(delivery, secrets);
    }
    for (const [projectId, room] of rooms) this.#held.served(projectId, takenOf.get(projectId) === room);
    return taken.length;
  }

  #begin(delivery: TakenDelivery, secrets: LoadSecrets): void {
    const { id, projectId } = delivery;
    let attempt: Attempt | undefined;
    this.#lanes.begin(projectId);
    this.#underWay.add(id);
    const done = this.#attempt(delivery, secrets, made => {
      attempt = made;
    })
      .then(() => void this.#underWay.delete(id))
      .catch(error => {
        this.parts.log.warn({ err: error, deliveryId: id }, 'a webhook was given up for now');
        setTimeout(() => this.#underWay.delete(id), UNWRITTEN_MS).unref();
      })
      .finally(() => {
        this.#active.delete(done);
        this.#lanes.end(projectId, attempt?.verdict === 'delivered', attempt?.durationMs ?? 0);
        this.#bell.notify();
      });
    this.#active.add(done);
  }

  async #attempt(delivery: TakenDelivery, secrets: LoadSecrets, onMade: (attempt: Attempt) => void): Promise<void> {
    if (delivery.isOff) return this.#settle(delivery, skippedAttempt('failed', SWITCHED_OFF));
    const { signal } = this.#abort;
    const { sender, log, metrics } = this.parts;
    let attempt: Attempt;
    try {
      attempt = await sender.send(delivery, signal, secrets);
    } catch (error) {
      if (signal.aborted) return;
      if (isRetryableDatabaseError(error)) throw error;
      // A fault of ours counts as an attempt: a delivery that meets it each time ends, too.
      log.error({ err: error, deliveryId: delivery.id }, 'a webhook could not be sent');
      attempt = skippedAttempt('retry', 'The service failed before it could send.');
    }
    onMade(attempt);
    metrics.countWebhookAttempt(attempt.verdict);
    failpoint('webhook.sent');
    await this.#settle(delivery, attempt);
    failpoint('webhook.settled');
  }

  /** While the database refuses, the outcome is kept: the receiver is not called again for it. */
  #settle(delivery: TakenDelivery, attempt: Attempt): Promise<void> {
    return whenReachable(() => this.parts.claims.settle(delivery, attempt), this.#abort.signal);
  }

  /** One renewal follows another: while the database holds up the one, no more of them wait for it. */
  #renewIn(): void {
    this.#renewing = setTimeout(async () => {
      await this.#guarded('renewing jobs of webhooks', () => this.#held.renew());
      if (this.#renewing !== undefined) this.#renewIn();
    }, RENEW_MS);
  }

  /** New deliveries of projects that this process holds. */
  #listen(): Promise<{ close(): Promise<void> } | undefined> {
    return this.#guarded('listening for webhooks', () =>
      this.parts.bus.listen(
        WEBHOOK_CHANNEL,
        projectId => {
          this.#held.notice(Number(projectId));
          this.#bell.notify();
        },
        () => {
          this.#held.noticeAll();
          this.#bell.notify();
        },
      ),
    );
  }

  /** A fault of one round (the database is away) must not end the loop: the next round tries again. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}

const SWITCHED_OFF = 'Not sent: the webhook of the project was switched off, or its address taken away.';

function skippedAttempt(verdict: Attempt['verdict'], error: string): Attempt {
  return { at: new Date(), status: null, error, durationMs: 0, verdict, retryAfterSeconds: null };
}
