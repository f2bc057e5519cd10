import type { LeasedProject, ProjectJobs } from '../../../durable/project-jobs.js';

/** The job of an idle project is kept this long, so that a burst of runs does not create one job per run. */
const LINGER_MS = 1_000;

interface ProjectWork extends LeasedProject {
  /** Whether the project may have due deliveries. */
  mayHaveWork: boolean;
  /** When the project became idle, in milliseconds of `performance.now()`. Undefined while it has work. */
  idleSince: number | undefined;
}

/** The projects leased to this process, in the order in which they are served. */
export class LeasedProjects {
  readonly #projects = new Map<number, ProjectWork>();

  constructor(private readonly jobs: ProjectJobs) {}

  get size(): number {
    return this.#projects.size;
  }

  /** Fetches the jobs of up to `max` more projects. Returns the number of projects fetched. */
  async take(max: number): Promise<number> {
    const fetched = await this.jobs.claim(max);
    for (const project of fetched)
      this.#projects.set(project.projectId, { ...project, mayHaveWork: true, idleSince: undefined });
    return fetched.length;
  }

  /** Ids of the projects that may have due deliveries and whose lease is valid. */
  get withWork(): Set<number> {
    const now = performance.now();
    const due = [...this.#projects.values()].filter(
      ({ mayHaveWork, leaseExpiresAt }) => mayHaveWork && leaseExpiresAt > now,
    );
    return new Set(due.map(({ projectId }) => projectId));
  }

  /** Marks a project as having new deliveries, written by any process. */
  markWork(projectId: number): void {
    const project = this.#projects.get(projectId);
    if (project) Object.assign(project, { mayHaveWork: true, idleSince: undefined });
  }

  markAll(): void {
    for (const projectId of this.#projects.keys()) this.markWork(projectId);
  }

  /** Clears the marks before deliveries are read, so that a mark set during the read is not lost. */
  clearMarks(projectIds: Iterable<number>): void {
    for (const projectId of projectIds) {
      const project = this.#projects.get(projectId);
      if (project) project.mayHaveWork = false;
    }
  }

  /** Moves a project to the end of the order. `mayHaveMore` marks it as having due deliveries. */
  moveToEnd(projectId: number, mayHaveMore: boolean): void {
    const project = this.#projects.get(projectId);
    if (!project) return;
    if (mayHaveMore) project.mayHaveWork = true;
    this.#projects.delete(projectId);
    this.#projects.set(projectId, project);
  }

  /** Sends heartbeats. Removes the projects whose job another process has claimed. */
  async renew(): Promise<void> {
    const projects = [...this.#projects.values()];
    if (projects.length === 0) return;
    const renewed = new Set(await this.jobs.renew(projects));
    for (const project of projects)
      if (!renewed.has(project) && this.#projects.get(project.projectId) === project)
        this.#projects.delete(project.projectId);
  }

  /** Ends the jobs of projects that have been idle for `LINGER_MS`. */
  async endIdle(isBusy: (projectId: number) => boolean): Promise<void> {
    const now = performance.now();
    const idle: ProjectWork[] = [];
    for (const project of this.#projects.values()) {
      if (project.mayHaveWork || isBusy(project.projectId)) project.idleSince = undefined;
      else project.idleSince ??= now;
      if (project.idleSince !== undefined && now - project.idleSince >= LINGER_MS) idle.push(project);
    }
    if (idle.length === 0) return;
    const continued = await this.jobs.end(idle);
    for (const { projectId } of idle) {
      if (continued.has(projectId)) this.markWork(projectId);
      else this.#projects.delete(projectId);
    }
  }

  async release(): Promise<void> {
    const projects = [...this.#projects.values()];
    this.#projects.clear();
    await this.jobs.release(projects);
  }
}
