import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { AccountTables } from '../accounts/account-tables.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { insertProject } from './insert-project.js';
import type { ProjectTables } from './project-tables.js';

/** The name of the project that is created for a user who owns none. */
const PERSONAL_PROJECT_NAME = 'Personal';

/**
 * Returns the default project of the viewer: the oldest project that the viewer owns. Projects of other owners
 * are never used, because their owners could add the viewer as a member. Creates a personal project if the
 * viewer owns none. Concurrent requests create only one.
 *
 * @throws NotFoundError if the viewer is not a user
 */
export async function ensureOwnProject(database: Database, viewer: Viewer): Promise<number> {
  return (await findOldestOwned(database, viewer)) ?? (await createPersonalProject(database, viewer));
}

async function createPersonalProject(database: Database, viewer: Viewer): Promise<number> {
  return database.transaction(async sql => {
    // The lock on the user serializes concurrent requests: the next request waits and finds the project.
    const user = await queryBuilder<AccountTables>(sql)
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', viewer.userId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) throw new NotFoundError();
    const existing = await findOldestOwned(sql, viewer);
    if (existing !== null) return existing;
    const id = await insertProject(sql, viewer.userId, { name: PERSONAL_PROJECT_NAME });
    const object = { type: 'project', id };
    await recordAuditEvent(sql, viewer, { action: 'project.create-personal', object, projectId: id });
    return id;
  });
}

async function findOldestOwned(sql: Sql, { userId }: Viewer): Promise<number | null> {
  const row = await queryBuilder<ProjectTables>(sql)
    .selectFrom('project_member')
    .select('project_id as id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .orderBy('project_id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
