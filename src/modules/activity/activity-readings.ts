import type { Database } from '../../platform/database/database.js';
import { readHorizon } from './activity-horizon.js';
import { readMoved, readUnderWay } from './activity-readings.sql.js';
import { cursorOf, type Moment } from './moment.js';
import type { ProjectActivity } from './project-activity.type.js';

const PAGE = 200;

/**
 * Reads the activity of projects directly from the tables of runs and approvals. There is no separate table of
 * activities.
 */
export class ActivityReadings {
  constructor(private readonly database: Database) {}

  /** Returns the time in milliseconds of the database clock before which all rows are visible. */
  horizon(): Promise<number> {
    return readHorizon(this.database);
  }

  /** Yields the current state of the activities after a moment in pages, by time. */
  moved(projectId: number, after: Moment): AsyncGenerator<ProjectActivity[]> {
    return this.#pages(readMoved, projectId, after);
  }

  /**
   * Yields the activities in progress or recently ended. The cursor of the last one is the current horizon; the
   * others have the time of their change.
   */
  underWay(projectId: number): AsyncGenerator<ProjectActivity[]> {
    return this.#pages(readUnderWay, projectId, null);
  }

  async *#pages(read: typeof readMoved, projectId: number, after: Moment | null): AsyncGenerator<ProjectActivity[]> {
    const horizon = await this.horizon();
    let last = after ?? { ms: 0, key: '' };
    for (;;) {
      const rows = await read(this.database, { projectId, after: last, limit: PAGE });
      const isEnd = rows.length < PAGE;
      yield rows.map(({ key, ...row }, index) => {
        last = { ms: row.at.getTime(), key };
        const isNow = last.ms >= horizon || (after === null && isEnd && index === rows.length - 1);
        return { ...row, cursor: cursorOf(isNow ? { ms: horizon, key: '' } : last) };
      });
      if (isEnd) return;
    }
  }
}
