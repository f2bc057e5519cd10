import type { Database, Sql } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { insertProject } from './insert-project.js';

/** The name of the project that is created for a user who owns none. */
export const PERSONAL_PROJECT_NAME = 'Personal';

const OLDEST_OWNED =
  "select project_id as id from project_member where user_id = $1 and role = 'owner' order by project_id limit 1";

/**
 * Returns the project that a request without one uses: the oldest that the viewer owns. Projects of other owners are never
 * chosen, because their owners decide who becomes a member. A viewer who owns none gets a personal project; of several
 * requests at once exactly one creates it.
 *
 * @throws NotFoundError when no user stands behind the viewer
 */
export async function ensureOwnProject(database: Database, viewer: Viewer): Promise<number> {
  return (await oldestOwned(database, viewer)) ?? (await createPersonalProject(database, viewer));
}

async function createPersonalProject(database: Database, viewer: Viewer): Promise<number> {
  return database.transaction(async sql => {
    // The user's row is the lock: the next request waits for it and finds the project.
    const [user] = await sql.query('select 1 from app_user where id = $1 and deleted_at is null for no key update', [
      viewer.userId,
    ]);
    if (!user) throw new NotFoundError();
    const existing = await oldestOwned(sql, viewer);
    if (existing !== null) return existing;
    const id = await insertProject(sql, viewer.userId, { name: PERSONAL_PROJECT_NAME });
    const object = { type: 'project', id };
    await recordDeed(sql, viewer, { action: 'project.create-personal', object, projectId: id });
    return id;
  });
}

async function oldestOwned(sql: Sql, { userId }: Viewer): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(OLDEST_OWNED, [userId]);
  return row?.id ?? null;
}
