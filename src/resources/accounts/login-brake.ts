import { sha256 } from '../../base/crypto.js';
import type { Database } from '../../base/database.js';
import { RateLimitedError } from '../../base/errors.js';

/** Wrong passwords that one email may be tried with in a window, whoever tries and however many try at once. */
const MAX_ATTEMPTS = 10;
const WINDOW_MINUTES = 15;

/** Slows down the guessing of passwords, for emails that nobody has as well: it tells nobody who has an account. */
export class LoginBrake {
  constructor(private readonly database: Database) {}

  /** Counts a try before it is made; throws when the window is full. Windows that have passed are swept along. */
  async enter(email: string): Promise<void> {
    await this.database.query(
      `delete from login_brake where email_hash in (
         select email_hash from login_brake where window_ends_at < now() limit 100 for update skip locked)`,
    );
    const [row] = await this.database.query<{ attempts: number; seconds: number }>(
      `insert into login_brake as b (email_hash, attempts, window_ends_at)
       values ($1, 1, now() + make_interval(mins => $2))
       on conflict (email_hash) do update set
         attempts = case when b.window_ends_at < now() then 1 else least(b.attempts, $3) + 1 end,
         window_ends_at = case when b.window_ends_at < now() then excluded.window_ends_at else b.window_ends_at end
       returning attempts, extract(epoch from window_ends_at - now())::int as seconds`,
      [sha256(email), WINDOW_MINUTES, MAX_ATTEMPTS],
    );
    if (row!.attempts > MAX_ATTEMPTS)
      throw new RateLimitedError(Math.max(row!.seconds, 1), 'Too many attempts to log in with this email.');
  }

  /** The right password was given: the tries before it do not count against the next login. */
  async release(email: string): Promise<void> {
    await this.database.query('delete from login_brake where email_hash = $1', [sha256(email)]);
  }
}
