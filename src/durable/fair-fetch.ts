import type { FetchedJob, Queue } from './queue.js';

/** The maximum number of jobs that one statement fetches. */
const MAX_FETCH = 100;

/** The load of a worker when it fetches jobs. */
export interface WorkerLoad {
  /** Active runs of this worker by project. */
  busy: ReadonlyMap<number, number>;
  /** Slots without a run. */
  free: number;
  /** The total number of slots of this worker. */
  concurrency: number;
}

/** Returns how many slots of a worker one project may use. One tenth is reserved for runs of other projects. */
export function shareOf(concurrency: number): number {
  return concurrency - Math.floor(concurrency / 10);
}

/** The fetched jobs, and whether the queue has no more due jobs. */
export interface FetchResult {
  jobs: FetchedJob[];
  isDrained: boolean;
}

/**
 * Fetches jobs so that projects share a worker fairly. Job priorities already interleave the projects
 * (`Queue.accept`). No project uses more than nine tenths of the slots (`shareOf`). The last tenth is
 * only given to projects with fewer runs than an equal division of the slots among the active projects.
 */
export async function fetchFairly(
  queue: Queue,
  name: string,
  { busy, free, concurrency }: WorkerLoad,
): Promise<FetchResult> {
  const share = shareOf(concurrency);
  const projectsWith = (minRuns: number) =>
    [...busy].filter(([, runs]) => runs >= minRuns).map(([projectId]) => projectId);
  const openSlots = Math.min(free - (concurrency - share), MAX_FETCH);
  if (openSlots <= 0) {
    const equalPart = Math.ceil(concurrency / (busy.size + 1));
    return { jobs: await queue.fetchJobs(name, Math.min(free, MAX_FETCH), projectsWith(equalPart)), isDrained: false };
  }
  const fullProjects = projectsWith(share);
  const jobs = await queue.fetchJobs(name, openSlots, fullProjects);
  return { jobs, isDrained: fullProjects.length === 0 && jobs.length < openSlots };
}
