import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { AccountTables } from '../account-tables.js';

/**
 * Sets the operator limit of a user in US dollars; null: the default. Returns the limit and counters of the
 * user, or undefined if the user does not exist.
 */
export function setUserOperatorLimit(sql: Sql, userId: number, limitUsd: string | null) {
  return queryBuilder<AccountTables>(sql)
    .updateTable('app_user')
    .set({ service_limit_usd: limitUsd })
    .where('id', '=', userId)
    .returning(['service_limit_usd as serviceLimitUsd', 'service_spent_usd as serviceSpentUsd'])
    .returning('service_reserved_usd as serviceReservedUsd')
    .executeTakeFirst();
}

/** Sets the spending limit of an API key in US dollars; null: none. Returns false if the key does not exist. */
export async function setKeyBudget(sql: Sql, keyId: number, limitUsd: string | null): Promise<boolean> {
  const key = await queryBuilder<AccountTables>(sql)
    .updateTable('api_key')
    .set({ budget_usd: limitUsd })
    .where('id', '=', keyId)
    .returning('id')
    .executeTakeFirst();
  return key !== undefined;
}
