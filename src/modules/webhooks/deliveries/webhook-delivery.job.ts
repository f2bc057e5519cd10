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
import type { Attempt, ClaimedDelivery } from './webhook-attempt.js';
import type { WebhookClaims } from './webhook-claims.js';
import type { LoadSecrets, WebhookSender } from './webhook-sender.js';

/** Maximum number of jobs that one statement fetches. */
const MAX_FETCH = 50;
/** Maximum number of projects leased to one process. Each one costs a heartbeat. */
const MAX_PROJECTS = 1_000;
/** Minimum time between claims, so that one statement fills all lanes that become free in between. */
const CLAIM_EVERY_MS = 20;
/** Poll interval of the queues. Retries become due without a notification. */
const POLL_MS = 1_000;
/** Interval of heartbeats. Three of them may fail before another process claims the jobs. */
const RENEW_MS = (HEARTBEAT_SECONDS * 1_000) / 4;
/**
 * A delivery without a written outcome is attempted again after this time: the database rejected the outcome, or was unavailable before
 * the request. The delivery stays due, so the job of its project does not end in the meantime.
 */
const REPEAT_AFTER_MS = 60_000;

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
  readonly #projects: LeasedProjects;
  readonly #active = new Set<Promise<void>>();
  /** Ids of the deliveries whose outcome is not written yet. This process does not claim them again. */
  readonly #unwritten = new Set<string>();
  readonly #lanes = new DeliveryLanes();
  readonly #abort = new AbortController();
  readonly #notifier = new Notifier();
  #isStopping = false;
  /** Whether the queue of projects may have jobs. */
  #hasArrivals = true;
  /** Whether the last statement left due retries in their queue. */
  #hasMoreRetries = false;
  #nextPollAt = 0;
  #loop: Promise<void> | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #stopListening: () => Promise<void> = async () => {};

  constructor(private readonly parts: WebhookDeliveryParts) {
    this.#projects = new LeasedProjects(parts.projects);
  }

  start(): void {
    const unsubscribe = this.parts.queue.onArrival(WEBHOOK_PROJECT_QUEUE, () => {
      this.#hasArrivals = true;
      this.#notifier.notify();
    });
    const listening = this.#listen();
    this.#stopListening = async () => {
      unsubscribe();
      await (await listening)?.close();
    };
    this.#loop = this.#work();
    this.#scheduleRenewal();
  }

  /** Claims no more deliveries, aborts active attempts after `graceMs` milliseconds and releases the jobs. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#notifier.notify();
    await this.#loop;
    await this.#guarded('unsubscribing from webhook notifications', this.#stopListening, 'stopping anyway');
    const timer = setTimeout(() => this.#abort.abort(new Error('the worker is stopping')), graceMs);
    await Promise.all(this.#active);
    clearTimeout(timer);
    clearTimeout(this.#renewing);
    this.#renewing = undefined;
    const release = () => this.#projects.release();
    await this.#guarded('releasing webhook jobs', release, 'other processes get them without heartbeats');
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      this.#notifier.listen();
      const startedAt = performance.now();
      const isBusy = await this.#guarded('claiming webhook deliveries', () => this.#runOnce());
      if (!isBusy) await this.#notifier.wait(POLL_MS);
      const early = CLAIM_EVERY_MS - (performance.now() - startedAt);
      if (early > 0 && !this.#isStopping) await sleep(early);
    }
  }

  /** Number of active attempts. */
  get active(): number {
    return this.#lanes.busy;
  }

  /** Returns true when more work may be available immediately. */
  async #runOnce(): Promise<boolean> {
    const isPollDue = performance.now() >= this.#nextPollAt;
    if (isPollDue) this.#nextPollAt = performance.now() + POLL_MS;
    // A persistent error of one queue must not stop the other one, or the deliveries of leased projects.
    if (isPollDue || this.#hasMoreRetries)
      await this.#guarded('enqueuing webhook retries', () => this.#enqueueDueRetries());
    if (isPollDue || this.#wantsProjects) await this.#guarded('fetching webhook jobs', () => this.#fetch());
    const started = await this.#serve();
    await this.#projects.endIdle(projectId => this.#lanes.busyOf(projectId) > 0);
    return started > 0 || this.#hasMoreRetries || this.#wantsProjects;
  }

  /** Without free lanes, new projects are left to other processes until the next poll. */
  get #wantsProjects(): boolean {
    return this.#hasArrivals && this.#lanes.free > 0;
  }

  async #fetch(): Promise<void> {
    this.#hasArrivals = false;
    const limit = Math.min(MAX_FETCH, MAX_PROJECTS - this.#projects.size);
    if (limit > 0 && (await this.#projects.take(limit)) === limit) this.#hasArrivals = true;
  }

  /** Replaces the due retry jobs by jobs of their projects. */
  async #enqueueDueRetries(): Promise<void> {
    const { queue, database, outbox } = this.parts;
    this.#hasMoreRetries = false;
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
    this.#hasMoreRetries = jobs.length === MAX_FETCH;
  }

  /** Claims and starts due deliveries of the leased projects. Returns the number of attempts started. */
  async #serve(): Promise<number> {
    const limits = this.#lanes.claimLimits(this.#projects.withWork);
    if (limits.size === 0) return 0;
    this.#projects.clearMarks(limits.keys());
    const deliveries = await this.parts.claims.claim(limits, this.#unwritten).catch(error => {
      for (const projectId of limits.keys()) this.#projects.markWork(projectId);
      throw error;
    });
    if (deliveries.length > 0) failpoint('webhook.taken');
    const countByProject = new Map<number, number>();
    const secrets = this.parts.sender.secretsLoader();
    for (const delivery of deliveries) {
      countByProject.set(delivery.projectId, (countByProject.get(delivery.projectId) ?? 0) + 1);
      this.#begin(delivery, secrets);
    }
    for (const [projectId, limit] of limits)
      this.#projects.moveToEnd(projectId, countByProject.get(projectId) === limit);
    return deliveries.length;
  }

  #begin(delivery: ClaimedDelivery, secrets: LoadSecrets): void {
    const { id, projectId } = delivery;
    let attempt: Attempt | undefined;
    this.#lanes.begin(projectId);
    this.#unwritten.add(id);
    const done = this.#attempt(delivery, secrets, made => {
      attempt = made;
    })
      .then(() => void this.#unwritten.delete(id))
      .catch(error => {
        this.parts.log.warn({ err: error, deliveryId: id }, 'webhook outcome not written, attempt will be repeated');
        setTimeout(() => this.#unwritten.delete(id), REPEAT_AFTER_MS).unref();
      })
      .finally(() => {
        this.#active.delete(done);
        this.#lanes.end(projectId, attempt?.verdict === 'delivered', attempt?.durationMs ?? 0);
        this.#notifier.notify();
      });
    this.#active.add(done);
  }

  async #attempt(delivery: ClaimedDelivery, secrets: LoadSecrets, onMade: (attempt: Attempt) => void): Promise<void> {
    if (delivery.isDisabled) return this.#settle(delivery, skippedAttempt('failed', WEBHOOK_DISABLED));
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
  #settle(delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    return whenReachable(() => this.parts.claims.settle(delivery, attempt), this.#abort.signal);
  }

  /** Schedules the next heartbeat only after the previous one, so that they do not pile up behind a slow database. */
  #scheduleRenewal(): void {
    this.#renewing = setTimeout(async () => {
      await this.#guarded('renewing webhook jobs', () => this.#projects.renew());
      if (this.#renewing !== undefined) this.#scheduleRenewal();
    }, RENEW_MS);
  }

  /** Subscribes to notifications of new deliveries for the leased projects. */
  #listen(): Promise<{ close(): Promise<void> } | undefined> {
    return this.#guarded(
      'subscribing to webhook notifications',
      () =>
        this.parts.bus.listen(
          WEBHOOK_CHANNEL,
          projectId => {
            this.#projects.markWork(Number(projectId));
            this.#notifier.notify();
          },
          () => {
            this.#projects.markAll();
            this.#notifier.notify();
          },
        ),
      'polling until the next connection',
    );
  }

  /** Runs one step. An error, such as an unreachable database, is logged with its consequence and must not end the loop or `stop`. */
  async #guarded<T>(what: string, work: () => Promise<T>, consequence = 'trying again'): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.log.warn({ err: error }, `${what} failed; ${consequence}`);
      return undefined;
    }
  }
}

const WEBHOOK_DISABLED = 'Not sent: the webhook of the project is disabled or has no URL. Enable it, then redeliver.';

function skippedAttempt(verdict: Attempt['verdict'], error: string): Attempt {
  return { at: new Date(), status: null, error, durationMs: 0, verdict, retryAfterSeconds: null };
}
