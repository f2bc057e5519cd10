import type { LeasedProject, ProjectJobs } from '../../../durable/project-jobs.js';

/** The job of an idle project is kept this long, so that a burst of runs does not create one job per run. */
const LINGER_MS = 1_000;

interface ProjectWork extends LeasedProject {
  /** Whether the project may have due deliveries. */
  hasNews: boolean;
  /** When the project became idle, in milliseconds of `performance.now()`. Undefined while it has work. */
  quietSince: number | undefined;
}

/** The projects leased to this process, in the order in which they are served. */
export class LeasedProjects {
  readonly #held = new Map<number, ProjectWork>();

  constructor(private readonly jobs: ProjectJobs) {}

  get size(): number {
    return this.#held.size;
  }

  /** Fetches the jobs of up to `most` more projects. Returns the number of projects fetched. */
  async take(most: number): Promise<number> {
    const fetched = await this.jobs.claim(most);
    for (const held of fetched) this.#held.set(held.projectId, { ...held, hasNews: true, quietSince: undefined });
    return fetched.length;
  }

  /** Ids of the projects that may have due deliveries and whose lease is valid. */
  get withNews(): Set<number> {
    const now = performance.now();
    const due = [...this.#held.values()].filter(({ hasNews, leaseExpiresAt }) => hasNews && leaseExpiresAt > now);
    return new Set(due.map(({ projectId }) => projectId));
  }

  /** Marks a project as having new deliveries, written by any process. */
  notice(projectId: number): void {
    const held = this.#held.get(projectId);
    if (held) Object.assign(held, { hasNews: true, quietSince: undefined });
  }

  noticeAll(): void {
    for (const projectId of this.#held.keys()) this.notice(projectId);
  }

  /** Clears the marks before deliveries are read, so that a mark set during the read is not lost. */
  beginServing(projectIds: Iterable<number>): void {
    for (const projectId of projectIds) {
      const held = this.#held.get(projectId);
      if (held) held.hasNews = false;
    }
  }

  /** Moves a project to the end of the order. `mayHaveMore` marks it as having due deliveries. */
  served(projectId: number, mayHaveMore: boolean): void {
    const held = this.#held.get(projectId);
    if (!held) return;
    if (mayHaveMore) held.hasNews = true;
    this.#held.delete(projectId);
    this.#held.set(projectId, held);
  }

  /** Sends heartbeats. Removes the projects whose job another process has claimed. */
  async renew(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    const renewed = new Set(await this.jobs.renew(held));
    for (const one of held)
      if (!renewed.has(one) && this.#held.get(one.projectId) === one) this.#held.delete(one.projectId);
  }

  /** Ends the jobs of projects that have been idle for `LINGER_MS`. */
  async endQuiet(isBusy: (projectId: number) => boolean): Promise<void> {
    const now = performance.now();
    const quiet: ProjectWork[] = [];
    for (const held of this.#held.values()) {
      if (held.hasNews || isBusy(held.projectId)) held.quietSince = undefined;
      else held.quietSince ??= now;
      if (held.quietSince !== undefined && now - held.quietSince >= LINGER_MS) quiet.push(held);
    }
    if (quiet.length === 0) return;
    const going = await this.jobs.end(quiet);
    for (const { projectId } of quiet) {
      if (going.has(projectId)) this.notice(projectId);
      else this.#held.delete(projectId);
    }
  }

  async release(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await this.jobs.release(held);
  }
}
