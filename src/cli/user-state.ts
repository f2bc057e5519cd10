import { AccountService } from '../modules/accounts/account.service.js';
import { OPERATOR } from '../modules/accounts/viewer.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';
import { userIdOf } from './user-options.js';

export async function setUserDisabled(
  isDisabled: boolean,
  { email }: Options,
  { env, print }: CliContext,
): Promise<void> {
  const user = await withDatabase(env, async database =>
    new AccountService(database).users.update(OPERATOR, await userIdOf(database, email), { isDisabled }),
  );
  print(`User ${user.email} is ${isDisabled ? 'disabled' : 'enabled'}.`);
}

export async function deleteUser({ email }: Options, { env, print }: CliContext): Promise<void> {
  const id = await withDatabase(env, async database => {
    const userId = await userIdOf(database, email);
    await new AccountService(database).users.delete(OPERATOR, userId);
    return userId;
  });
  print(`User ${id} is deleted. Runs and the ledger stay.`);
}
