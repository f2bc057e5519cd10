import { afterEach, expect, it, jest } from '@jest/globals';
import type { LeasedProject } from '../../../src/durable/project-jobs.js';
import type { Attempt, ClaimedDelivery } from '../../../src/modules/webhooks/deliveries/webhook-attempt.js';
import {
  WebhookDeliveryJob,
  type WebhookDeliveryParts,
} from '../../../src/modules/webhooks/deliveries/webhook-delivery.job.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { Notifier } from '../../../src/platform/messaging/notifier.js';
import { eventually } from '../../support/eventually.js';

/** The number of jobs that one statement fetches at most. */
const BATCH = 50;
const LANES = 320;

const DELIVERED: Attempt = {
  ...{ at: new Date(), status: 204, error: null, durationMs: 1 },
  ...{ verdict: 'delivered', retryAfterSeconds: null },
};

const project = (projectId: number): LeasedProject => ({
  ...{ projectId, job: { id: String(projectId), retryCount: 0 } },
  leaseExpiresAt: Number.POSITIVE_INFINITY,
});

const delivery = (projectId: number, id: string): ClaimedDelivery => ({
  ...{ id, projectId, url: 'http://receiver.example', isToProject: true, body: {} },
  ...{ attempt: 1, token: 1, failures: 0, isDisabled: false },
});

/** The parts of a job without any work. Each member can be replaced. */
const IDLE = {
  fetchRetries: async (): Promise<unknown[]> => [],
  fetchProjects: async (_max: number): Promise<LeasedProject[]> => [],
  claim: async (_limits: ReadonlyMap<number, number>): Promise<ClaimedDelivery[]> => [],
  send: async (_delivery: ClaimedDelivery, _signal: AbortSignal): Promise<Attempt> => DELIVERED,
  unsubscribe: async () => {},
  wake: async (_projectIds: readonly number[]) => {},
  release: async (_leased: readonly LeasedProject[]) => {},
};

let job: WebhookDeliveryJob | undefined;
/** Reports new jobs of projects, as PostgreSQL does. */
let notifyArrival = () => {};

afterEach(async () => {
  await job?.stop(0);
  job = undefined;
  jest.restoreAllMocks();
});

function start(changes: Partial<typeof IDLE>): WebhookDeliveryJob {
  const { fetchRetries, fetchProjects, claim, send, unsubscribe, wake, release } = { ...IDLE, ...changes };
  const parts = {
    queue: {
      onArrival: (_name: string, listener: () => void) => {
        notifyArrival = listener;
        return () => {};
      },
      boss: { fetch: fetchRetries },
      remove: async () => 0,
    },
    database: { transaction: (work: (sql: object) => Promise<unknown>) => work({}) },
    bus: { listen: async () => ({ close: unsubscribe }) },
    projects: {
      ...{ claim: fetchProjects, release, end: async () => new Set<number>() },
      renew: async (leased: readonly LeasedProject[]) => leased,
    },
    outbox: { wake },
    claims: { claim, settle: async () => {} },
    sender: { secretsLoader: () => async () => [], send },
    log: createLog('silent'),
    metrics: { countWebhookAttempt: () => {} },
  };
  job = new WebhookDeliveryJob(parts as unknown as WebhookDeliveryParts);
  job.start();
  return job;
}

it('enqueues due retries without a pause while there are more', async () => {
  const wait = jest.spyOn(Notifier.prototype, 'wait');
  let batches = 0;
  let pauses: number | undefined;
  const woken: number[] = [];
  start({
    fetchRetries: async () => {
      if (batches === 10) pauses ??= wait.mock.calls.length;
      if (batches === 10) return [];
      batches++;
      return Array.from({ length: BATCH }, (_, n) => ({ id: `${batches}-${n}`, data: { projectId: batches } }));
    },
    wake: async projectIds => void woken.push(...projectIds),
  });
  await eventually(
    async () => pauses,
    count => count !== undefined,
  );
  expect([pauses, woken.length]).toEqual([0, 10 * BATCH]);
});

it('enqueues due retries while jobs of projects arrive all the time', async () => {
  let polls = 0;
  start({
    fetchRetries: async () => {
      polls++;
      return [];
    },
    // Fetched with each arrival, which the next notification repeats.
    fetchProjects: async () => {
      setTimeout(notifyArrival, 10);
      return [];
    },
  });
  await eventually(
    async () => polls,
    count => count >= 3,
  );
});

it('fetches and serves projects although the queue of retries cannot be read', async () => {
  const sent: string[] = [];
  let isFetched = false;
  start({
    fetchRetries: () => Promise.reject(new Error('relation "pgboss.job" does not exist')),
    fetchProjects: async () => {
      if (isFetched) return [];
      isFetched = true;
      return [project(1)];
    },
    claim: async () => (sent.length === 0 ? [delivery(1, 'a')] : []),
    send: async ({ id }) => {
      sent.push(id);
      return DELIVERED;
    },
  });
  await eventually(
    async () => sent,
    ids => ids.length > 0,
  );
  expect(sent).toEqual(['a']);
});

it('rests while no lane is free, however many projects are queued', async () => {
  const wait = jest.spyOn(Notifier.prototype, 'wait');
  let projects = 0;
  let deliveries = 0;
  const { promise: firstWait, resolve } = Promise.withResolvers<number>();
  wait.mockImplementation(async () => {
    resolve(projects);
    await new Promise(done => setTimeout(done, 1_000));
  });
  const started = start({
    fetchProjects: async max => Array.from({ length: max }, () => project(++projects)),
    claim: async limits =>
      [...limits].flatMap(([projectId, limit]) =>
        Array.from({ length: limit }, () => delivery(projectId, String(++deliveries))),
      ),
    // No receiver answers before the job stops.
    send: (_delivery, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  // Without a rest, the job would go through all rounds until it has leased its maximum of 1,000 projects.
  expect(await firstWait).toBeLessThan(1_000);
  expect(started.active).toBe(LANES);
});

it('releases its jobs although the notifications cannot be unsubscribed', async () => {
  const released: number[] = [];
  let isFetched = false;
  const started = start({
    fetchProjects: async () => {
      if (isFetched) return [];
      isFetched = true;
      return [project(7)];
    },
    unsubscribe: () => Promise.reject(new Error('the connection is lost')),
    release: async leased => void released.push(...leased.map(({ projectId }) => projectId)),
  });
  await eventually(
    async () => isFetched,
    fetched => fetched,
  );
  await started.stop(0);
  job = undefined;
  expect(released).toEqual([7]);
});
