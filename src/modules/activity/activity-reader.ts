import type { Database } from '../../platform/database/database.js';
import { readHorizon } from './activity-horizon.js';
import { type ActivityPosition, formatCursor } from './activity-position.js';
import { readActiveActivities, readChangedActivities } from './activity-reader.sql.js';
import type { ProjectActivity } from './project-activity.type.js';

const PAGE_ROWS = 200;

/**
 * Reads the activity of projects directly from the tables of runs and approvals. There is no separate table of
 * activities.
 */
export class ActivityReader {
  constructor(private readonly database: Database) {}

  /** Returns the time in milliseconds of the database clock before which all rows are visible. */
  horizon(): Promise<number> {
    return readHorizon(this.database);
  }

  /** Yields the current state of the activities after a moment in pages, by time. */
  changedAfter(projectId: number, after: ActivityPosition): AsyncGenerator<ProjectActivity[]> {
    return this.#pages(readChangedActivities, projectId, after);
  }

  /**
   * Yields the activities in progress or recently ended. The cursor of the last one is the current horizon; the
   * others have the time of their change.
   */
  active(projectId: number): AsyncGenerator<ProjectActivity[]> {
    return this.#pages(readActiveActivities, projectId, null);
  }

  async *#pages(
    read: typeof readChangedActivities,
    projectId: number,
    after: ActivityPosition | null,
  ): AsyncGenerator<ProjectActivity[]> {
    const horizon = await this.horizon();
    let last = after ?? { ms: 0, key: '' };
    for (;;) {
      // One row more shows whether the page is the last one.
      const found = await read(this.database, { projectId, after: last, limit: PAGE_ROWS + 1 });
      const rows = found.slice(0, PAGE_ROWS);
      const isEnd = found.length === rows.length;
      yield rows.map(({ key, ...row }, index) => {
        last = { ms: row.at.getTime(), key };
        // Rows with a time between the horizon and this row may still become visible, so no cursor passes the horizon.
        // The cursor of the last active one covers all changes before the horizon.
        const isAtHorizon = last.ms >= horizon || (after === null && isEnd && index === rows.length - 1);
        return { ...row, cursor: formatCursor(isAtHorizon ? { ms: horizon, key: '' } : last) };
      });
      if (isEnd) return;
    }
  }
}
