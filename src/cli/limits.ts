import { OPERATOR } from '../modules/accounts/viewer.js';
import { OperatorLimitService } from '../modules/billing/budgets/operator-limit.service.js';
import type { OperatorLimit } from '../modules/billing/budgets/operator-limit.type.js';
import { NotFoundError } from '../platform/errors/errors.js';
import { Currencies } from '../platform/money/money.js';
import { MAX_INTEGER } from '../platform/sql/max-integer.js';
import { type CliContext, type Options, UsageError } from './arguments.js';
import { withDatabase } from './open-database.js';
import { userIdOf } from './user-options.js';

/**
 * Sets the spending limit of a user. `usd`: US dollars; 0 forbids the provider keys of the service; `default`: the value of
 * USER_LIMIT_USD.
 */
export async function limitUser({ email, usd }: Options, { env, print }: CliContext): Promise<void> {
  const limitUsd = parseLimit('limit user', usd);
  await withDatabase(env, async (database, { defaultLimits, srPerUsd }) => {
    const userId = await userIdOf(database, email);
    const limits = new OperatorLimitService(database, defaultLimits, new Currencies(srPerUsd));
    print(reportOf(`User ${email}`, await limits.set(OPERATOR, { holder: { userId }, limitUsd })));
  });
}

/**
 * Sets the spending limit of a project. `usd`: US dollars; 0 forbids the provider keys of the service; `default`: the value of
 * PROJECT_LIMIT_USD.
 */
export async function limitProject({ id, usd }: Options, { env, print }: CliContext): Promise<void> {
  const limitUsd = parseLimit('limit project', usd);
  if (!/^[1-9]\d{0,9}$/.test(String(id)) || Number(id) > MAX_INTEGER)
    throw new UsageError('limit project: --id takes the id of a project.');
  await withDatabase(env, async (database, { defaultLimits, srPerUsd }) => {
    const limits = new OperatorLimitService(database, defaultLimits, new Currencies(srPerUsd));
    const limit = await limits.set(OPERATOR, { holder: { projectId: Number(id) }, limitUsd }).catch(error => {
      throw error instanceof NotFoundError ? new Error(`No project has the id ${id}.`) : error;
    });
    print(reportOf(`Project ${id}`, limit));
  });
}

function parseLimit(command: string, usd: Options[string]): string | null {
  if (usd === 'default') return null;
  if (!/^\d{1,10}(\.\d{1,12})?$/.test(String(usd)) || Number(usd) > 1_000_000_000)
    throw new UsageError(`${command}: --usd takes US dollars (0-1000000000), such as 25 or 0.5, or default.`);
  return String(usd);
}

function reportOf(subject: string, limit: OperatorLimit | null): string {
  return limit === null
    ? `${subject} has no limit.`
    : `${subject} has a limit of ${limit.limit.usd} US dollars; ${limit.spent.usd} are spent.`;
}
