import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, expressionBuilder, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import { toClientNetwork, toWiderNetwork } from '../../../platform/requests/client-network.js';
import type { AccountTables } from '../account-tables.js';
import type { HashingClient } from './hashing-queue.js';

/** Wrong passwords per window for one account from one client network. */
const MAX_ATTEMPTS = 10;
/**
 * Wrong passwords per window for one account from all networks. Beyond it, MAX_ATTEMPTS_OF_UNKNOWN applies to
 * unknown clients.
 */
const MAX_ATTEMPTS_OF_ACCOUNT = 100;
/** Wrong passwords per window for one account from each wider network, of all clients that the account does not know. */
const MAX_ATTEMPTS_OF_UNKNOWN = 2;
/** Requests for a link by email per window for one email. */
const MAX_RESET_REQUESTS = 3;
const TOO_MANY_LOGINS = 'Too many attempts to log in with this email from this address.';
const TOO_MANY_RESETS = 'Too many requests for this email. Read the emails of the last minutes, or try again later.';
const WINDOW_MINUTES = 15;
/** The maximum number of ended windows that one attempt deletes. */
const CLEANUP_BATCH = 100;
/** Days after the last login from a client network during which its clients count as known. */
export const KNOWN_CLIENT_DAYS = 90;

/**
 * Limits password guessing. Emails without an account are limited as well, so that the limit does not reveal
 * which accounts exist. Wrong passwords block an account only for the client network that sent them, so that
 * attackers cannot lock users out. During an attack from many networks, unknown networks have 2 attempts
 * instead of 10.
 */
export class LoginThrottle {
  constructor(private readonly database: Database) {}

  /**
   * Counts an attempt before the password is checked. Returns the network of the client and whether the account
   * knows it.
   *
   * @throws RateLimitedError if the client has no attempts left in this window
   */
  async countAttempt(email: string, address: string | undefined): Promise<HashingClient> {
    await this.#tables().deleteFrom('login_brake').where('email_hash', 'in', endedWindows(CLEANUP_BATCH)).execute();
    await this.#count(hashClient(email, address), MAX_ATTEMPTS);
    const isKnown = await this.#isKnown(email, address);
    const account = await this.#attempt(sha256(email), MAX_ATTEMPTS_OF_ACCOUNT);
    if (account.attempts > MAX_ATTEMPTS_OF_ACCOUNT && !isKnown)
      await this.#count(hashUnknownClients(email, address), MAX_ATTEMPTS_OF_UNKNOWN);
    return { network: toClientNetwork(address), isKnown };
  }

  /**
   * Counts a request for a link by email, with or without an account.
   *
   * @throws RateLimitedError after 3 requests for the email in this window
   */
  async countResetRequest(email: string): Promise<void> {
    await this.#count(sha256(`${email}\nreset`), MAX_RESET_REQUESTS, TOO_MANY_RESETS);
  }

  /** Records a successful login: resets the attempts of the client and marks the client as known. */
  async recordSuccess(email: string, address: string | undefined): Promise<void> {
    const client = hashClient(email, address);
    const tables = this.#tables();
    await tables
      .deleteFrom('login_brake')
      .where('email_hash', 'in', [client, hashUnknownClients(email, address)])
      .execute();
    // Takes the attempt back from the count of the account. The row is deleted if this was its only attempt.
    const account = sha256(email);
    await tables
      .with('less', query =>
        query
          .updateTable('login_brake')
          .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
          .where('email_hash', '=', account)
          .where('attempts', '>', 1)
          .returning('attempts'),
      )
      .deleteFrom('login_brake')
      .where('email_hash', '=', account)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('less').select('attempts'))))
      .execute();
    await tables
      .insertInto('login_client')
      .values({ client_hash: client, last_login_at: NOW })
      .onConflict(conflict =>
        conflict.column('client_hash').doUpdateSet(({ ref }) => ({ last_login_at: ref('excluded.last_login_at') })),
      )
      .execute();
  }

  async #isKnown(email: string, address: string | undefined): Promise<boolean> {
    const client = await this.#tables()
      .selectFrom('login_client')
      .select('last_login_at')
      .where('client_hash', '=', hashClient(email, address))
      .where('last_login_at', '>', expression<Date>`now() - make_interval(days => ${KNOWN_CLIENT_DAYS})`)
      .executeTakeFirst();
    return client !== undefined;
  }

  async #count(hash: Buffer, max: number, message = TOO_MANY_LOGINS): Promise<void> {
    const { attempts, seconds } = await this.#attempt(hash, max);
    if (attempts > max) throw new RateLimitedError(Math.max(seconds, 1), message);
  }

  /** Counts an attempt in the current window, up to `max` + 1. Returns the count and the seconds until the window ends. */
  #attempt(hash: Buffer, max: number): Promise<{ attempts: number; seconds: number }> {
    return this.#tables()
      .insertInto('login_brake')
      .values({
        email_hash: hash,
        attempts: 1,
        window_ends_at: expression<Date>`now() + make_interval(mins => ${WINDOW_MINUTES})`,
      })
      .onConflict(conflict =>
        conflict.column('email_hash').doUpdateSet(({ ref }) => ({
          attempts: expression<number>`case when login_brake.window_ends_at < now() then 1 else least(login_brake.attempts, ${max}) + 1 end`,
          window_ends_at: expression<Date>`case when login_brake.window_ends_at < now() then ${ref('excluded.window_ends_at')}
            else login_brake.window_ends_at end`,
        })),
      )
      .returning(['attempts', expression<number>`extract(epoch from window_ends_at - now())::int`.as('seconds')])
      .executeTakeFirstOrThrow();
  }

  #tables() {
    return queryBuilder<AccountTables>(this.database);
  }
}

/** Selects and locks the keys of ended windows. Rows that are locked already are skipped. */
export function endedWindows(rows: number) {
  return expressionBuilder<AccountTables>()
    .selectFrom('login_brake')
    .select('email_hash')
    .where('window_ends_at', '<', NOW)
    .limit(rows)
    .forUpdate()
    .skipLocked();
}

/** The key of an account with one client network. */
function hashClient(email: string, address: string | undefined): Buffer {
  return sha256(`${email}\n${toClientNetwork(address)}`);
}

/** The key of an account with all unknown clients of one wider network. */
function hashUnknownClients(email: string, address: string | undefined): Buffer {
  return sha256(`${email}\nstrangers of ${toWiderNetwork(address)}`);
}
