import { AccountService } from '../modules/accounts/account.service.js';
import type { ApiKey } from '../modules/accounts/api-keys/api-key.js';
import type { ApiKeyService } from '../modules/accounts/api-keys/api-key.service.js';
import { OPERATOR } from '../modules/accounts/viewer.js';
import { ApiKeyBudgetService } from '../modules/billing/budgets/api-key-budget.service.js';
import type { Config } from '../platform/config/config.js';
import type { Database } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors/errors.js';
import { Currencies, normalize } from '../platform/money/money.js';
import { type CliContext, type Options, UsageError } from './arguments.js';
import { withDatabase } from './open-database.js';
import { keyIdOf, userIdOf } from './user-options.js';

const PAGE_SIZE = 100;

/** Prints one line for each API key of a user, newest first. */
export async function listKeys({ email }: Options, { env, print }: CliContext): Promise<void> {
  await withDatabase(env, async database => {
    const userId = await userIdOf(database, email);
    const { keys } = new AccountService(database);
    for (let page = 1; ; page++) {
      const { items, total } = await keys.list(OPERATOR, userId, { page, size: PAGE_SIZE });
      for (const key of items) {
        const limit = key.rateLimit === null ? 'default' : key.rateLimit === 0 ? 'unlimited' : String(key.rateLimit);
        const used = key.lastUsedAt?.toISOString() ?? 'never';
        print(`${key.id}  ${key.prefix}…  ${key.name}  limit ${limit}${budgetOf(key)}  last used ${used}`);
      }
      if (page * PAGE_SIZE >= total) return;
    }
  });
}

export async function deleteKey({ id }: Options, { env, print }: CliContext): Promise<void> {
  const keyId = keyIdOf('key delete', id);
  await withKeys(env, keys => keys.delete(OPERATOR, keyId));
  print(`Key ${keyId} is deleted.`);
}

/**
 * Sets the rate limit of a key. `limit`: requests per minute, `unlimited`, or `default` for the limit of the service.
 */
export async function limitKey({ id, limit }: Options, { env, print }: CliContext): Promise<void> {
  const keyId = keyIdOf('key limit', id);
  const rateLimit = rateLimitOf(String(limit));
  await withKeys(env, keys => keys.update(OPERATOR, keyId, { rateLimit }));
  print(`Key ${keyId} has the limit ${limit}.`);
}

/** Sets the spending limit of a key. `limit`: US dollars, or `none` to remove it. */
export async function setKeyBudget({ id, limit }: Options, { env, print }: CliContext): Promise<void> {
  const keyId = keyIdOf('key budget', id);
  const limitUsd = limit === 'none' ? null : String(limit);
  if (limitUsd !== null && !/^\d{1,10}(\.\d{1,12})?$/.test(limitUsd))
    throw new UsageError('key budget: --limit takes US dollars, such as 25 or 0.5, or none.');
  await withKeys(env, (keys, database, { srPerUsd }) =>
    new ApiKeyBudgetService(database, keys, new Currencies(srPerUsd)).set(OPERATOR, keyId, limitUsd),
  );
  print(limitUsd === null ? `Key ${keyId} has no budget.` : `Key ${keyId} has a budget of ${limitUsd} US dollars.`);
}

function budgetOf({ budgetUsd, spentUsd }: ApiKey): string {
  return budgetUsd === null ? '' : `  spent ${normalize(spentUsd)} of ${normalize(budgetUsd)} US dollars`;
}

function rateLimitOf(limit: string): number | null {
  if (limit === 'default') return null;
  if (limit === 'unlimited') return 0;
  if (!/^[1-9]\d{0,6}$/.test(limit))
    throw new UsageError('key limit: --limit takes requests per minute (1-1000000), unlimited or default.');
  return Number(limit);
}

/** Runs `work` with the service of API keys. Replaces the error for an unknown key by a message for the command line. */
async function withKeys(
  env: NodeJS.ProcessEnv,
  work: (keys: ApiKeyService, database: Database, config: Config) => Promise<unknown>,
): Promise<void> {
  await withDatabase(env, async (database, config) => {
    await work(new AccountService(database).keys, database, config).catch(error => {
      throw error instanceof NotFoundError
        ? new Error('No key has this id. `key list` prints the keys of a user.')
        : error;
    });
  });
}
