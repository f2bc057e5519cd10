import type { FetchedJob, Queue } from './queue.js';

/** Jobs that one statement fetches at most. */
const MAX_FETCH = 100;

/** What a worker has under way when it asks for more. */
export interface Load {
  /** Runs under way here, by project. */
  busy: ReadonlyMap<number, number>;
  /** Places without a run. */
  free: number;
  /** All places of this worker. */
  concurrency: number;
}

/** The most of a worker's places that one project has: some are left for another's run, however long the first ones take. */
export function shareOf(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 10);
}

/** What was fetched, and whether the queue has no more jobs that are due. */
export interface FetchResult {
  jobs: FetchedJob[];
  isDrained: boolean;
}

/**
 * Fetches jobs so that projects share a worker. The priority of a job gives the turns: of a project's queue each job comes after
 * the one before it (`Queue.accept`). No project has more than its share of the places; the last tenth is left to projects
 * that have less than their fair part.
 */
export async function fetchFairly(queue: Queue, name: string, { busy, free, concurrency }: Load): Promise<FetchResult> {
  const share = shareOf(concurrency);
  const projectsWith = (least: number) => [...busy].filter(([, runs]) => runs >= least).map(([projectId]) => projectId);
  const open = Math.min(free - (concurrency - share), MAX_FETCH);
  if (open <= 0) {
    const fairPart = Math.ceil(concurrency / (busy.size + 1));
    return { jobs: await queue.fetchJobs(name, Math.min(free, MAX_FETCH), projectsWith(fairPart)), isDrained: false };
  }
  const full = projectsWith(share);
  const jobs = await queue.fetchJobs(name, open, full);
  return { jobs, isDrained: full.length === 0 && jobs.length < open };
}
