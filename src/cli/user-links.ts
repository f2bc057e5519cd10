import { urlHost } from '../http/url-host.js';
import { AccountService } from '../modules/accounts/account.service.js';
import { resetPath, signInAddress } from '../modules/accounts/sessions/sign-in-links.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';
import { userIdOf } from './user-options.js';

export const createSignInLink = (options: Options, context: CliContext) =>
  printLink(options, context, async (accounts, email, origin) =>
    signInAddress(origin, await accounts.createSignInLink(email)),
  );

export const createResetLink = (options: Options, context: CliContext) =>
  printLink(
    options,
    context,
    async (accounts, email, origin) => `${origin}${resetPath(await accounts.createResetLink(email))}`,
  );

/**
 * Prints only the address, so that a script can read it. The command knows only where the service listens: behind a proxy, the
 * operator replaces the origin by the public one.
 */
async function printLink(
  { email }: Options,
  { env, print }: CliContext,
  create: (accounts: AccountService, email: string, origin: string) => Promise<string>,
): Promise<void> {
  const address = await withDatabase(env, async (database, { host, port }) => {
    // Fails with a hint for an unknown email, before the link is created.
    await userIdOf(database, email);
    return create(new AccountService(database), String(email), `http://${urlHost(host)}:${port}`);
  });
  print(address);
}
