import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import type { AccountTables } from '../account-tables.js';
import { deleteKeysOf } from '../api-keys/delete-keys.js';
import { deletePersonalRows, readOwnedProjects } from './delete-user.sql.js';

/** The maximum number of project ids in the error message. */
const NAMED_PROJECTS = 5;

/**
 * Removes the personal data from the row of a user and deletes credentials, memberships, invitations, bookmarks
 * and prompts outside projects. The email can be used again afterwards. The row itself remains, because runs
 * and the ledger refer to it.
 *
 * @throws NotFoundError if the user does not exist
 * @throws ConflictError if the user owns projects
 */
export async function anonymizeUser(sql: Sql, id: number): Promise<void> {
  // The lock conflicts with concurrent transactions that make the user the owner of a project.
  const user = await queryBuilder<AccountTables>(sql)
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw new NotFoundError();
  const ownedProjects = await readOwnedProjects(sql, id);
  if (ownedProjects.length > 0) throw new ConflictError(ownerMessage(ownedProjects));
  await deletePersonalRows(sql, id);
  await deleteKeysOf(sql, id);
  await queryBuilder<AccountTables>(sql)
    .updateTable('app_user')
    .set({
      ...{ email: `deleted-${randomUUID()}@deleted.invalid`, name: '', password_hash: null },
      ...{ is_admin: false, is_api_allowed: false },
      disabled_at: expression<Date>`coalesce(disabled_at, now())`,
      deleted_at: expression<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}

function ownerMessage(ids: number[]): string {
  const named = ids.slice(0, NAMED_PROJECTS).join(', ');
  const more = ids.length > NAMED_PROJECTS ? ` and ${ids.length - NAMED_PROJECTS} more` : '';
  return `The user owns projects (${named}${more}): transfer the ownership or delete them first.`;
}
