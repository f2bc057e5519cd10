import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import { toClientNetwork, toWiderNetwork } from '../../../platform/requests/client-network.js';
import type { HashingClient } from './hashing-turns.js';

/** Wrong passwords in a window for one account from one client network. */
const MAX_ATTEMPTS = 10;
/** Wrong passwords in a window for one account from everywhere, beyond which unknown clients have fewer. */
const MAX_ATTEMPTS_OF_ACCOUNT = 100;
/** Wrong passwords then for each wider network from which the account has not logged in before. */
const MAX_ATTEMPTS_OF_STRANGERS = 2;
const WINDOW_MINUTES = 15;
/** For so long after its last login a client is known. */
export const KNOWN_CLIENT_DAYS = 90;

const SWEEP = `
  delete from login_brake where email_hash in (
    select email_hash from login_brake where window_ends_at < now() limit 100 for update skip locked)`;

const COUNT = `
  insert into login_brake as b (email_hash, attempts, window_ends_at)
  values ($1, 1, now() + make_interval(mins => $2))
  on conflict (email_hash) do update set
    attempts = case when b.window_ends_at < now() then 1 else least(b.attempts, $3) + 1 end,
    window_ends_at = case when b.window_ends_at < now() then excluded.window_ends_at else b.window_ends_at end
  returning attempts, extract(epoch from window_ends_at - now())::int as seconds`;

/**
 * Slows down the guessing of passwords, for emails that nobody has as well: it tells nobody who has an account. Strangers lock
 * nobody out: wrong passwords close an account for the client network that sent them. When very many networks guess at one
 * account, networks it has not logged in from have two attempts in place of ten; the others notice nothing.
 */
export class LoginBrake {
  constructor(private readonly database: Database) {}

  /**
   * Counts an attempt before it is made, and returns what the client is to the account.
   *
   * @throws RateLimitedError when the client has had its attempts for this window
   */
  async enter(email: string, address: string | undefined): Promise<HashingClient> {
    await this.database.query(SWEEP);
    await this.#count(pairHash(email, address), MAX_ATTEMPTS);
    const isKnown = await this.#isKnown(email, address);
    const [ofAccount] = await this.#attempt(sha256(email), MAX_ATTEMPTS_OF_ACCOUNT);
    if (ofAccount!.attempts > MAX_ATTEMPTS_OF_ACCOUNT && !isKnown)
      await this.#count(strangersHash(email, address), MAX_ATTEMPTS_OF_STRANGERS);
    return { network: toClientNetwork(address), isKnown };
  }

  /** The right password was given: the attempts before it do not count, and the client is known from now on. */
  async release(email: string, address: string | undefined): Promise<void> {
    const client = pairHash(email, address);
    await this.database.query('delete from login_brake where email_hash = any($1)', [
      [client, strangersHash(email, address)],
    ]);
    await this.database.query(
      `with less as (update login_brake set attempts = attempts - 1 where email_hash = $1 and attempts > 1 returning 1)
       delete from login_brake where email_hash = $1 and not exists (select from less)`,
      [sha256(email)],
    );
    await this.database.query(
      `insert into login_client (client_hash, last_login_at) values ($1, now())
       on conflict (client_hash) do update set last_login_at = excluded.last_login_at`,
      [client],
    );
  }

  async #isKnown(email: string, address: string | undefined): Promise<boolean> {
    const rows = await this.database.query(
      `select 1 from login_client
        where client_hash = $1 and last_login_at > now() - make_interval(days => ${KNOWN_CLIENT_DAYS})`,
      [pairHash(email, address)],
    );
    return rows.length > 0;
  }

  async #count(hash: Buffer, most: number): Promise<void> {
    const [row] = await this.#attempt(hash, most);
    if (row!.attempts > most)
      throw new RateLimitedError(
        Math.max(row!.seconds, 1),
        'Too many attempts to log in with this email from this address.',
      );
  }

  #attempt(hash: Buffer, most: number): Promise<{ attempts: number; seconds: number }[]> {
    return this.database.query(COUNT, [hash, WINDOW_MINUTES, most]);
  }
}

function pairHash(email: string, address: string | undefined): Buffer {
  return sha256(`${email}\n${toClientNetwork(address)}`);
}

function strangersHash(email: string, address: string | undefined): Buffer {
  return sha256(`${email}\nstrangers of ${toWiderNetwork(address)}`);
}
