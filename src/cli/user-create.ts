import { randomBytes } from 'node:crypto';
import { AccountService } from '../modules/accounts/account.service.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';
import { emailOf, passwordOf } from './user-options.js';

export async function createUser({ email, name, admin }: Options, { env, print }: CliContext): Promise<void> {
  const address = emailOf('user create', 'email', email);
  const chosenPassword = passwordOf(env);
  const password = chosenPassword ?? randomBytes(15).toString('base64url');
  const user = await withDatabase(env, database =>
    new AccountService(database).createUser({
      email: address,
      name: typeof name === 'string' ? name : '',
      password,
      isAdmin: admin === true,
    }),
  );
  print(`${user.isAdmin ? 'Administrator' : 'User'} ${user.email} has the id ${user.id}.`);
  if (chosenPassword === undefined) print(`password (shown once): ${password}`);
}
