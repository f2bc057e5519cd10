import type { Queue } from '../durable/queue.js';
import { KEYWORD_RUN_QUEUE } from '../modules/keywords/runs/keyword-run-leases.js';
import { RECOGNITION_QUEUE } from '../modules/recognition/recognition-work.js';
import { SCENARIO_RUN_QUEUE } from '../modules/scenario-runs/execution/scenario-run-leases.js';
import { WEBHOOK_QUEUE } from '../modules/webhooks/webhook-outbox.js';
import { RUN_QUEUE } from '../modules/workflow-runs/admission/run-acceptor.js';

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** Rounds that come again and again: what has expired is deleted. Safe beside themselves in another process. */
export interface Housekeeping {
  start(): void;
  stop(): void;
}

/** A kind of work that is taken from a queue. */
export interface Job {
  start(): void;
  /** Takes no more, lets what is under way finish within `graceMs`, then hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerParts {
  jobs: readonly Job[];
  housekeeping: readonly Housekeeping[];
}

/** The queues of the product; created or brought up to date by every process before it sends or fetches. */
export async function ensureQueues({ boss }: Queue): Promise<void> {
  // A wake-up is acknowledged as soon as it is heeded: one that stays active longer belongs to a dead worker.
  const wakeUps = {
    notify: true,
    retryLimit: 1_000,
    retryDelay: 0,
    expireInSeconds: 8,
    retentionSeconds: 30 * 86_400,
  };
  await ensureQueue(boss, RUN_QUEUE, wakeUps);
  await ensureQueue(boss, SCENARIO_RUN_QUEUE, wakeUps);
  await ensureQueue(boss, KEYWORD_RUN_QUEUE, wakeUps);
  await ensureQueue(boss, WEBHOOK_QUEUE, wakeUps);
  // Its worker tells every few seconds that it lives, and how often a run is begun is counted by the run itself.
  await ensureQueue(boss, RECOGNITION_QUEUE, {
    notify: true,
    retryLimit: 10,
    retryDelay: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 1_800,
    retentionSeconds: 30 * 86_400,
  });
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';

type QueueOptions = Parameters<Queue['boss']['createQueue']>[1];

async function ensureQueue(boss: Queue['boss'], name: string, options: QueueOptions): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, options);
  // pg-boss reads what it knows of a queue when it first needs it, which would be inside transactions that send: each of
  // them would wait for a second connection while it holds one.
  await boss.getJobById(name, NO_JOB);
}

/** Starts whatever this process works off. A new kind of job adds its line here. */
export function startWorker({ jobs, housekeeping }: WorkerParts): Worker {
  for (const job of jobs) job.start();
  for (const rounds of housekeeping) rounds.start();
  return {
    async stop(graceMs) {
      for (const rounds of housekeeping) rounds.stop();
      await Promise.all(jobs.map(job => job.stop(graceMs)));
    },
  };
}
