import type { Database } from '../../platform/database/database.js';
import { readHorizon } from './activity-horizon.js';
import { readMoved, readUnderWay } from './activity-readings.sql.js';
import { cursorOf, type Moment } from './moment.js';
import type { ProjectActivity } from './project-activity.type.js';

const PAGE = 200;

/** What has moved in projects, read from where it stands: nothing is written for it. */
export class ActivityReadings {
  constructor(private readonly database: Database) {}

  /** Whatever bears an earlier time, by the database's clock, is to be seen from now on. */
  horizon(): Promise<number> {
    return readHorizon(this.database);
  }

  /** What has moved after a moment, page by page in that order, as it stands now. */
  moved(projectId: number, after: Moment): AsyncGenerator<ProjectActivity[]> {
    return this.#pages(readMoved, projectId, after);
  }

  /** What is under way, or was a moment ago. The last cursor is of this moment, the others are of when their things moved. */
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
