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
/** Maximum number of projects leased to one process. Each one costs a heartbeat. */
const MAX_HELD = 1_000;
/** Minimum time between claims, so that one statement fills all lanes that become free in between. */
const CLAIM_EVERY_MS = 20;
/** Poll interval of the queues. Retries become due without a notification. */
const BACKSTOP_MS = 1_000;
const RENEW_MS = (HEARTBEAT_SECONDS * 1_000) / 4;
/** A delivery whose outcome the database permanently rejects is attempted again after this time. */
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
 * Sends webhooks. A project with due deliveries has one job. The process that claims the job sends the deliveries
 * concurrently and ends the job when none is left. A failed delivery gets a deferred job, which enqueues its project again.
 */
export class WebhookDeliveryJob {
  readonly kind = 'webhook';
  readonly #held: LeasedProjects;
  readonly #active = new Set<Promise<void>>();
  /** Ids of the deliveries whose outcome is not written yet. */
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

  /** Claims no more deliveries, aborts active attempts after `graceMs` milliseconds and releases the jobs. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#bell.notify();
    await this.#loop;
    await this.#stopListening();
    const timer = setTimeout(() => this.#abort.abort(new Error('the worker is stopping')), graceMs);
    await Promise.all(this.#active);
    clearTimeout(timer);
    clearTimeout(this.#renewing);
    this.#renewing = undefined;
    await this.#guarded('releasing webhook jobs', () => this.#held.release());
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      const began = performance.now();
      const isBusy = await this.#guarded('claiming webhook deliveries', () => this.#take());
      if (!isBusy) await this.#bell.rest(BACKSTOP_MS);
      const early = CLAIM_EVERY_MS - (performance.now() - began);
      if (early > 0 && !this.#stopping) await sleep(early);
    }
  }

  /** Number of active attempts. */
  get active(): number {
    return this.#lanes.busy;
  }

  /** Returns true when more work may be available immediately. */
  async #take(): Promise<boolean> {
    const isTime = performance.now() >= this.#lookAgainAt;
    if (isTime) await this.#bringBackRetries();
    // Without free lanes, new projects are left to other processes until the next poll.
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

  /** Replaces the due retry jobs by jobs of their projects. */
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

  /** Claims and starts due deliveries of the leased projects. Returns the number of attempts started. */
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
        this.parts.log.warn({ err: error, deliveryId: id }, 'webhook outcome not written, attempt will be repeated');
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
      // An internal error counts as an attempt, so that a delivery that always causes one ends as failed.
      log.error({ err: error, deliveryId: delivery.id }, 'webhook attempt failed with an internal error');
      attempt = skippedAttempt('retry', 'An internal error occurred before the request was sent.');
    }
    onMade(attempt);
    metrics.countWebhookAttempt(attempt.verdict);
    failpoint('webhook.sent');
    await this.#settle(delivery, attempt);
    failpoint('webhook.settled');
  }

  /** Retries the write while the database is unreachable, so that the receiver is not called again. */
  #settle(delivery: TakenDelivery, attempt: Attempt): Promise<void> {
    return whenReachable(() => this.parts.claims.settle(delivery, attempt), this.#abort.signal);
  }

  /** Schedules the next heartbeat only after the previous one, so that they do not pile up behind a slow database. */
  #renewIn(): void {
    this.#renewing = setTimeout(async () => {
      await this.#guarded('renewing webhook jobs', () => this.#held.renew());
      if (this.#renewing !== undefined) this.#renewIn();
    }, RENEW_MS);
  }

  /** Subscribes to notifications of new deliveries for the leased projects. */
  #listen(): Promise<{ close(): Promise<void> } | undefined> {
    return this.#guarded('subscribing to webhook notifications', () =>
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

  /** Runs one step of the loop. An error, such as an unreachable database, is logged and must not end the loop. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.log.warn({ err: error }, `${what} failed, trying again`);
      return undefined;
    }
  }
}

const SWITCHED_OFF = 'Not sent: the webhook of the project is disabled or has no URL. Enable it, then redeliver.';

function skippedAttempt(verdict: Attempt['verdict'], error: string): Attempt {
  return { at: new Date(), status: null, error, durationMs: 0, verdict, retryAfterSeconds: null };
}
