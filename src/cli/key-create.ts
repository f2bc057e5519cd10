import { NotFoundError } from '../base/errors.js';
import { AccountService } from '../resources/accounts/account.service.js';
import type { Options } from './arguments.js';
import { withDatabase } from './open-database.js';

/** Prints the key and nothing else, so that a script can take it. */
export async function createKey({ email, name }: Options, env: NodeJS.ProcessEnv): Promise<void> {
  const key = await withDatabase(env, database =>
    new AccountService(database).createKey(String(email), String(name)).catch(error => {
      throw error instanceof NotFoundError ? new Error('No user has this email. Create one by `user create`.') : error;
    }),
  );
  console.log(key);
}
