import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { AccountTables } from '../account-tables.js';

/** Deletes every API key of a user and returns their number. Call `waitForLeaseExpiry` after the commit. */
export async function deleteKeysOf(sql: Sql, userId: number): Promise<number> {
  const deleted = await queryBuilder<AccountTables>(sql)
    .deleteFrom('api_key')
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  return deleted.length;
}
