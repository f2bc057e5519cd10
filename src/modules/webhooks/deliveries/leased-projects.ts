import type { LeasedProject, ProjectJobs } from '../../../durable/project-jobs.js';

/** A project without deliveries is held a little longer: a project with many runs needs no job for each of them. */
const LINGER_MS = 1_000;

interface ProjectWork extends LeasedProject {
  /** Whether it may have deliveries that are due. */
  hasNews: boolean;
  /** Since when it had nothing to do, by `performance.now()`; undefined while it has. */
  quietSince: number | undefined;
}

/** The projects whose webhooks this process sends, in the order in which they are served. */
export class LeasedProjects {
  readonly #held = new Map<number, ProjectWork>();

  constructor(private readonly jobs: ProjectJobs) {}

  get size(): number {
    return this.#held.size;
  }

  /** Fetches the jobs of further projects. Returns how many it got. */
  async take(most: number): Promise<number> {
    const fetched = await this.jobs.claim(most);
    for (const held of fetched) this.#held.set(held.projectId, { ...held, hasNews: true, quietSince: undefined });
    return fetched.length;
  }

  /** Projects that may have deliveries which are due. */
  get withNews(): Set<number> {
    const now = performance.now();
    const due = [...this.#held.values()].filter(({ hasNews, leaseExpiresAt }) => hasNews && leaseExpiresAt > now);
    return new Set(due.map(({ projectId }) => projectId));
  }

  /** Notes that a project has new deliveries, of whichever process. */
  notice(projectId: number): void {
    const held = this.#held.get(projectId);
    if (held) Object.assign(held, { hasNews: true, quietSince: undefined });
  }

  noticeAll(): void {
    for (const projectId of this.#held.keys()) this.notice(projectId);
  }

  /** Notes, before its deliveries are read, that news from now on are further ones. */
  beginServing(projectIds: Iterable<number>): void {
    for (const projectId of projectIds) {
      const held = this.#held.get(projectId);
      if (held) held.hasNews = false;
    }
  }

  /** A project that may have more goes to the end of the line. */
  served(projectId: number, mayHaveMore: boolean): void {
    const held = this.#held.get(projectId);
    if (!held) return;
    if (mayHaveMore) held.hasNews = true;
    this.#held.delete(projectId);
    this.#held.set(projectId, held);
  }

  /** Sends heartbeats, and forgets projects that another process has by now. */
  async renew(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    const renewed = new Set(await this.jobs.renew(held));
    for (const one of held)
      if (!renewed.has(one) && this.#held.get(one.projectId) === one) this.#held.delete(one.projectId);
  }

  /** Ends the jobs of projects that have had nothing to do for a while. */
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
