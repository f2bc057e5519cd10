import type { Database, Sql } from '../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../platform/database/typed-queries.js';
import { jobJsonSql } from './job-statements.js';
import { addJobsOfProjects, addProjectJobsSql } from './project-jobs.sql.js';
import { type FetchedJob, leaseFromNow, type Queue, type QueueOptions, RUN_JOBS } from './queue.js';

/** Options of a queue with at most one job per project. The job exists while the project has due work. */
export const PROJECT_JOBS: QueueOptions = { ...RUN_JOBS, policy: 'exclusive' };

/**
 * A project job that this process has fetched. No other process can fetch it before `leaseExpiresAt`
 * (`performance.now()`).
 */
export interface LeasedProject {
  projectId: number;
  job: FetchedJob;
  leaseExpiresAt: number;
}

/** The queue, notification channel and lock of one kind of project work. */
export interface ProjectJobsOptions {
  /** Name of the queue, which is created with `PROJECT_JOBS`. */
  queueName: string;
  /** The notification channel for new work. The payload is the id of the project. */
  channel: string;
  /** First key of the advisory lock. The second key is the id of the project. */
  lock: number;
  /** Returns those of the projects that have due work. */
  withDueWork(sql: Sql, projectIds: readonly number[]): Promise<number[]>;
}

/** Returns the projects for which no open transaction adds work. Locks them until the caller's transaction ends. */
const LOCK_IDLE_PROJECTS = keyedQuery(
  'lock-idle-projects',
  (tables: QueryCreator<object>, value: Placeholder<{ lock: number; projectIds: number[] }>) =>
    tables
      .selectFrom(
        expression<{ id: number }>`unnest(${value('projectIds')}::int[])`.as<'candidate'>(expression`candidate(id)`),
      )
      .select('candidate.id')
      .where(expression<boolean>`pg_try_advisory_xact_lock(${value('lock')}::int, candidate.id)`),
);

/**
 * Distributes work that is stored in rows, with one job per project regardless of its number of rows. The process
 * that holds the job executes the work. When that process dies, pg-boss assigns the job to another one.
 *
 * A transaction that adds work relies on an existing job. It therefore holds a shared lock, and a job ends only
 * under the exclusive lock. So no work is committed after the final check of the rows.
 */
export class ProjectJobs {
  constructor(
    private readonly queue: Queue,
    private readonly database: Database,
    private readonly options: ProjectJobsOptions,
  ) {}

  /** Ensures that projects with new work have jobs, in the transaction that adds the work. */
  async add(projectIds: readonly number[], sql: Sql): Promise<void> {
    if (projectIds.length > 0) await addJobsOfProjects(sql, this.addSql('added_projects'), projectIds);
  }

  /**
   * Returns the CTEs of `add` for a statement that adds the work of `projects`, a relation with the column
   * project_id. The last CTE is `project_jobs`, and the statement must read it.
   */
  addSql(projects: string): string {
    const { queueName, channel, lock } = this.options;
    const job = jobJsonSql({
      data: `json_build_object('projectId', project_id)`,
      singletonKey: 'project_id::text',
      groupId: 'project_id::text',
    });
    return addProjectJobsSql({ jobs: this.queue.statements(queueName), job, projects, channel, lock });
  }

  /** Fetches the jobs of at most `limit` projects. */
  async claim(limit: number): Promise<LeasedProject[]> {
    const leaseExpiresAt = leaseFromNow();
    const jobs = await this.queue.boss.fetch<{ projectId: number }>(this.options.queueName, { batchSize: limit });
    return jobs.map(job => ({
      projectId: job.data.projectId,
      job: job as unknown as FetchedJob,
      leaseExpiresAt,
    }));
  }

  /** Sends heartbeats. Returns the projects that this process still holds. */
  async renew(leased: readonly LeasedProject[]): Promise<LeasedProject[]> {
    const leaseExpiresAt = leaseFromNow();
    const jobs = leased.map(({ job }) => job);
    const heldIds = new Set(await this.queue.touch(this.options.queueName, jobs));
    const renewed = leased.filter(({ job }) => heldIds.has(job.id));
    for (const project of renewed) project.leaseExpiresAt = leaseExpiresAt;
    return renewed;
  }

  /** Ends the jobs of projects without due work. Returns the projects whose jobs remain. */
  end(leased: readonly LeasedProject[]): Promise<Set<number>> {
    const { lock, queueName, withDueWork } = this.options;
    const projectIds = leased.map(({ projectId }) => projectId);
    return this.database.transaction(async sql => {
      const idle = (await LOCK_IDLE_PROJECTS(sql, { lock, projectIds })).map(({ id }) => id);
      // A separate statement is needed to see the rows that were committed before the lock was granted.
      const due = new Set(await withDueWork(sql, idle));
      const ended = new Set(idle.filter(projectId => !due.has(projectId)));
      const jobs = leased.filter(({ projectId }) => ended.has(projectId)).map(({ job }) => job);
      await this.queue.removeFetched(queueName, jobs, sql);
      return new Set(projectIds.filter(projectId => !ended.has(projectId)));
    });
  }

  /** Releases jobs, so that another process can fetch them immediately. */
  async release(leased: readonly LeasedProject[]): Promise<void> {
    const jobs = leased.map(({ job }) => job);
    if (jobs.length > 0) await this.queue.boss.fail(this.options.queueName, jobs);
  }
}
