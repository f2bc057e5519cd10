import { z } from 'zod';
import { AccountService } from '../modules/accounts/account.service.js';
import { MIN_PASSWORD } from '../modules/accounts/users/password.js';
import type { Database } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors/errors.js';
import { MAX_INTEGER } from '../platform/sql/max-integer.js';
import { type Options, UsageError } from './arguments.js';

/** Returns a valid email address from an option. Throws a UsageError otherwise. */
export function emailOf(command: string, option: string, value: Options[string]): string {
  const address = z.email().safeParse(value);
  if (!address.success) throw new UsageError(`${command}: --${option} takes an email address.`);
  return address.data;
}

/** The password comes from the environment, because an option would be stored in the shell history. */
export function passwordOf(env: NodeJS.ProcessEnv): string | undefined {
  const value = env.PASSWORD || undefined;
  if (value !== undefined && value.length < MIN_PASSWORD)
    throw new UsageError(`PASSWORD: got ${value.length} characters, expected at least ${MIN_PASSWORD}.`);
  return value;
}

export function yesOrNo(command: string, option: string, value: Options[string]): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'yes' && value !== 'no') throw new UsageError(`${command}: --${option} takes yes or no.`);
  return value === 'yes';
}

export function keyIdOf(command: string, value: Options[string]): number {
  if (!/^[1-9]\d{0,9}$/.test(String(value)) || Number(value) > MAX_INTEGER)
    throw new UsageError(`${command}: --id takes the id of a key, as \`key list\` prints it.`);
  return Number(value);
}

/** Returns the id of the user with this email. */
export async function userIdOf(database: Database, email: Options[string]): Promise<number> {
  try {
    return (await new AccountService(database).findUser(String(email))).id;
  } catch (error) {
    throw error instanceof NotFoundError ? new Error('No user has this email. Create one by `user create`.') : error;
  }
}
