import { AccountService } from '../modules/accounts/account.service.js';
import { OPERATOR } from '../modules/accounts/viewer.js';
import { type CliContext, type Options, UsageError } from './arguments.js';
import { withDatabase } from './open-database.js';
import { emailOf, passwordOf, userIdOf, yesOrNo } from './user-options.js';

const COMMAND = 'user update';

export async function updateUser(options: Options, { env, print }: CliContext): Promise<void> {
  const changes = {
    email: options['new-email'] === undefined ? undefined : emailOf(COMMAND, 'new-email', options['new-email']),
    name: options.name === undefined ? undefined : String(options.name),
    password: passwordOf(env),
    isAdmin: yesOrNo(COMMAND, 'admin', options.admin),
    isApiAllowed: yesOrNo(COMMAND, 'api', options.api),
  };
  if (Object.values(changes).every(change => change === undefined))
    throw new UsageError(`${COMMAND}: nothing to change. Give an option, or PASSWORD in the environment.`);
  const user = await withDatabase(env, async database => {
    const id = await userIdOf(database, options.email);
    return new AccountService(database).users.update(OPERATOR, id, changes);
  });
  print(`${user.isAdmin ? 'Administrator' : 'User'} ${user.email} may ${user.isApiAllowed ? '' : 'not '}use API keys.`);
}
