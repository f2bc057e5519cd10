import { AccountService } from '../modules/accounts/account.service.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';
import { userIdOf } from './user-options.js';

/** Prints only the key, so that a script can read it. */
export async function createKey({ email, name }: Options, { env, print }: CliContext): Promise<void> {
  const key = await withDatabase(env, async database => {
    await userIdOf(database, email);
    return new AccountService(database).createKey(String(email), String(name));
  });
  print(key);
}
