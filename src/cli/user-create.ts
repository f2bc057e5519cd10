import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AccountService } from '../resources/accounts/account.service.js';
import { type Options, UsageError } from './arguments.js';
import { withDatabase } from './open-database.js';

const MIN_PASSWORD = 8;

export async function createUser({ email, name, admin }: Options, env: NodeJS.ProcessEnv): Promise<void> {
  const address = z.email().safeParse(email);
  if (!address.success) throw new UsageError('user create: --email takes an email address.');
  const given = env.PASSWORD || undefined;
  if (given !== undefined && given.length < MIN_PASSWORD) {
    throw new UsageError(`PASSWORD: got ${given.length} characters, takes at least ${MIN_PASSWORD}.`);
  }
  const password = given ?? randomBytes(15).toString('base64url');
  const user = await withDatabase(env, database =>
    new AccountService(database).createUser({
      email: address.data,
      name: typeof name === 'string' ? name : '',
      password,
      isAdmin: admin === true,
    }),
  );
  console.log(`${user.isAdmin ? 'Administrator' : 'User'} ${user.email} has the id ${user.id}.`);
  if (given === undefined) console.log(`password (shown once): ${password}`);
}
