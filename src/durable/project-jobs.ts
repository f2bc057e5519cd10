import type { Database, Sql } from '../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../platform/database/typed-queries.js';
import { jobJsonSql } from './job-statements.js';
import { addForProjects, addProjectJobsSql } from './project-jobs.sql.js';
import { type FetchedJob, type Queue, type QueueOptions, RUN_JOBS } from './queue.js';
import { leaseFromNow } from './run-worker.js';

/** A queue with at most one job for each project, from the first piece of work that is due until none is left. */
export const PROJECT_JOBS: QueueOptions = { ...RUN_JOBS, policy: 'exclusive' };

/** The job of a project that this process has fetched: until `heldUntil` (`performance.now()`) no other process has it. */
export interface LeasedProject {
  projectId: number;
  job: FetchedJob;
  heldUntil: number;
}

export interface ProjectJobsOptions {
  /** The queue, created with `PROJECT_JOBS`. */
  queueName: string;
  /** The notification channel that tells holders of more work: the id of the project. */
  channel: string;
  /** The key of the advisory lock; its second key is the id of the project. */
  lock: number;
  /** The projects that have work which is due. */
  withDueWork(sql: Sql, projectIds: readonly number[]): Promise<number[]>;
}

/** The projects for which no transaction is about to commit more work; locks them until the caller's transaction ends. */
const LOCK_QUIET_PROJECTS = keyedQuery(
  'lock-quiet-projects',
  (tables: QueryCreator<object>, value: Placeholder<{ lock: number; projectIds: number[] }>) =>
    tables
      .selectFrom(expression<{ id: number }>`unnest(${value('projectIds')}::int[])`.as<'given'>(expression`given(id)`))
      .select('given.id')
      .where(expression<boolean>`pg_try_advisory_xact_lock(${value('lock')}::int, given.id)`),
);

/**
 * Work that is stored in rows and done project by project: one job for a project, however many rows it has. The process that
 * holds the job does the work; pg-boss gives the job of a dead process to another one.
 *
 * A transaction that adds work finds the job that is already there and creates none. It holds a shared lock meanwhile, and a
 * job is ended only under the exclusive one: no work is committed after the last look at the rows.
 */
export class ProjectJobs {
  constructor(
    private readonly queue: Queue,
    private readonly database: Database,
    private readonly options: ProjectJobsOptions,
  ) {}

  /** Ensures that projects with more work have their jobs, in the transaction that adds the work. */
  async add(projectIds: readonly number[], sql: Sql): Promise<void> {
    if (projectIds.length > 0) await addForProjects(sql, this.addSql('given'), projectIds);
  }

  /**
   * The same as CTEs of a statement that adds the work of `projects`, a relation with the column project_id. The last one is
   * `woken`, and is to be read.
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

  /** Fetches the jobs of at most `most` projects. */
  async take(most: number): Promise<LeasedProject[]> {
    const heldUntil = leaseFromNow();
    const jobs = await this.queue.boss.fetch<{ projectId: number }>(this.options.queueName, { batchSize: most });
    return jobs.map(job => ({
      projectId: job.data.projectId,
      job: job as unknown as FetchedJob,
      heldUntil,
    }));
  }

  /** Sends heartbeats. Returns the projects that are still held. */
  async renew(held: readonly LeasedProject[]): Promise<LeasedProject[]> {
    const heldUntil = leaseFromNow();
    const jobs = held.map(({ job }) => job);
    const ours = new Set(await this.queue.touch(this.options.queueName, jobs));
    const renewed = held.filter(({ job }) => ours.has(job.id));
    for (const one of renewed) one.heldUntil = heldUntil;
    return renewed;
  }

  /** Ends the jobs of projects without work that is due. Returns the projects whose jobs go on. */
  end(held: readonly LeasedProject[]): Promise<Set<number>> {
    const { lock, queueName, withDueWork } = this.options;
    const projectIds = held.map(({ projectId }) => projectId);
    return this.database.transaction(async sql => {
      const quiet = (await LOCK_QUIET_PROJECTS(sql, { lock, projectIds })).map(({ id }) => id);
      // A statement of its own: it sees what was committed before the lock was granted.
      const due = new Set(await withDueWork(sql, quiet));
      const ended = new Set(quiet.filter(projectId => !due.has(projectId)));
      const jobs = held.filter(({ projectId }) => ended.has(projectId)).map(({ job }) => job);
      await this.queue.removeHeld(queueName, jobs, sql);
      return new Set(projectIds.filter(projectId => !ended.has(projectId)));
    });
  }

  /** Gives jobs back: another process may fetch them at once. */
  async release(held: readonly LeasedProject[]): Promise<void> {
    const jobs = held.map(({ job }) => job);
    if (jobs.length > 0) await this.queue.boss.fail(this.options.queueName, jobs);
  }
}
