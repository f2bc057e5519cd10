import type { Sql } from '../../../platform/database/database.js';

/** A failed run that is not a sub-run. */
export interface FailedRun {
  id: string;
  projectId: number;
  /** Null: a run of a graph, or the workflow was deleted. */
  workflowId: number | null;
  /** The workflows that led to the run, oldest first. */
  ancestry: readonly number[];
}

/** Work that other modules do after a run fails. */
export interface FailureListener {
  /**
   * Returns the projects among `projectIds` whose failures it handles. Each of their failures sends the job that calls
   * `handle`. `sql` may be the transaction that ends the run.
   */
  filterWatched(sql: Sql, projectIds: readonly number[]): Promise<readonly number[]>;
  /** Handles a failure. A repeated call has no second effect. `input` describes the failure, without secrets. */
  handle(run: FailedRun, input: Record<string, unknown>): Promise<void>;
}

/** The listeners of failures. A job calls `handle` after the commit that ends the run. */
export class FailureListeners {
  readonly #listeners: FailureListener[] = [];

  add(listener: FailureListener): void {
    this.#listeners.push(listener);
  }

  /** Returns the projects among `projectIds` whose failures a listener handles. */
  async filterWatched(sql: Sql, projectIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (projectIds.length === 0) return new Set();
    const watched = await Promise.all(this.#listeners.map(listener => listener.filterWatched(sql, projectIds)));
    return new Set(watched.flat());
  }

  async handle(run: FailedRun, input: Record<string, unknown>): Promise<void> {
    for (const listener of this.#listeners) await listener.handle(run, input);
  }
}
