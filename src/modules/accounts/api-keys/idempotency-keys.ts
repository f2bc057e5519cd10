import { randomUUID } from 'node:crypto';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import { type Database, onceReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { clearRows } from '../../../platform/sql/clear-rows.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../viewer.js';

/** What the work for a key answered, and whether that is the answer to every request that is sent again. */
export interface KeyedAnswer {
  text: string;
  isKept: boolean;
}

export type KeyedOutcome =
  | { kind: 'first' | 'again'; text: string }
  | { kind: 'under way' }
  | { kind: 'another request' };

interface Claim {
  userId: number;
  key: string;
  /** Whoever claims the key later has another one: only the holder of the present one writes. */
  claim: string;
  reservedId: string;
}

/** A claim lasts this long: the key of a process that died is free again after that. */
const CLAIM_SECONDS = 60;
const KEPT_HOURS = 24;
/** Of a SHA-256: a client that constructs two colliding requests affects only its own. */
const DIGEST_BYTES = 16;

// One statement: of any number of processes that claim a key at once, one gets the row. A free key keeps its reserved id
// as long as the request is the same, so that a run which was started, though nobody heard of it, is met again.
const CLAIM = `
  insert into idempotency_key as k (user_id, key, request_digest, claim, claimed_until, reserved_id)
  values ($1, $2, $3, $4, now() + make_interval(secs => ${CLAIM_SECONDS}), $5)
  on conflict (user_id, key) do update
     set request_digest = excluded.request_digest, claim = excluded.claim, claimed_until = excluded.claimed_until,
         sealed_response = null, created_at = now(),
         reserved_id = case when k.request_digest = excluded.request_digest and k.created_at >= ${oldest()}
                            then k.reserved_id else excluded.reserved_id end
   where k.created_at < ${oldest()} or (k.sealed_response is null and k.claimed_until <= now())
  returning reserved_id as "reservedId"`;

const READ = `
  select request_digest = $3 as "isSame", sealed_response as "sealedResponse"
    from idempotency_key where user_id = $1 and key = $2 and created_at >= ${oldest()}`;

const KEEP = `
  update idempotency_key set sealed_response = $4, claim = null
   where user_id = $1 and key = $2 and claim = $3`;
const FORGET = 'delete from idempotency_key where user_id = $1 and key = $2 and claim = $3';
const LAPSE = `update idempotency_key set claimed_until = '-infinity' where user_id = $1 and key = $2 and claim = $3`;

/**
 * Remembers for 24 hours what a request with an `Idempotency-Key` was answered. Keys belong to a user; any number of
 * processes share them. Answers may hold new credentials and lie sealed.
 */
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly log: Log,
  ) {}

  /**
   * Does `work` once for the viewer's key, or answers what it answered the first time. `work` gets the id by
   * which what it makes is known. A refusal, or an answer that is not kept, leaves the key as if it had never been sent.
   */
  async once(
    viewer: Viewer,
    key: string,
    request: string | Buffer,
    work: (reservedId: string) => Promise<KeyedAnswer>,
  ): Promise<KeyedOutcome> {
    const digest = this.vault.digest(request).subarray(0, DIGEST_BYTES);
    for (;;) {
      const claim = await this.#claim(viewer.userId, key, digest);
      if (claim) return { kind: 'first', text: await this.#work(claim, work) };
      const [row] = await this.database.query<{ isSame: boolean; sealedResponse: Buffer | null }>(READ, [
        viewer.userId,
        key,
        digest,
      ]);
      // Forgotten between the two statements: it is free to be claimed.
      if (!row) continue;
      if (!row.isSame) return { kind: 'another request' };
      if (row.sealedResponse === null) return { kind: 'under way' };
      return { kind: 'again', text: this.vault.openBytes(row.sealedResponse, place(viewer.userId, key)) };
    }
  }

  /** Deletes what has outlived its 24 hours; it is heeded no more before that. Safe to run beside itself. */
  async expire(): Promise<void> {
    await clearRows(this.database, {
      table: 'idempotency_key',
      id: 'user_id, key',
      condition: `created_at < ${oldest()}`,
    });
  }

  async #claim(userId: number, key: string, digest: Buffer): Promise<Claim | null> {
    const claim = randomUUID();
    const [row] = await this.database.query<{ reservedId: string }>(CLAIM, [
      userId,
      key,
      digest,
      claim,
      timeOrderedUuid(),
    ]);
    return row ? { userId, key, claim, reservedId: row.reservedId } : null;
  }

  async #work(claim: Claim, work: (reservedId: string) => Promise<KeyedAnswer>): Promise<string> {
    failpoint('key.claimed');
    let answer: KeyedAnswer;
    try {
      answer = await work(claim.reservedId);
    } catch (error) {
      // A fault may have come after the work was done: the reserved id stays, and tells when it was.
      await this.#settle(isRefusal(error) ? FORGET : LAPSE, claim);
      throw error;
    }
    failpoint('key.answered');
    if (answer.isKept)
      await this.#settle(KEEP, claim, this.vault.sealBytes(answer.text, place(claim.userId, claim.key)));
    else await this.#settle(FORGET, claim);
    return answer.text;
  }

  /**
   * The work is done or has failed, and its caller hears so at once: while the database is away this goes on behind the
   * answer, for as long as the claim lasts, which lapses by itself.
   */
  async #settle(statement: string, { userId, key, claim }: Claim, ...more: unknown[]): Promise<void> {
    const write = () => this.database.query(statement, [userId, key, claim, ...more]);
    const complain = (error: unknown) =>
      this.log.warn({ err: error, userId }, 'the outcome of an idempotency key could not be written');
    try {
      await write();
    } catch (error) {
      if (!isRetryableDatabaseError(error)) return complain(error);
      void onceReachable(write, AbortSignal.timeout(CLAIM_SECONDS * 1_000)).catch(complain);
    }
  }
}

/** A refusal that the caller is meant to see changed nothing. */
function isRefusal(error: unknown): boolean {
  const code = (error as { extensions?: { code?: unknown } }).extensions?.code;
  return typeof code === 'string' && code !== 'UNAVAILABLE' && code !== 'INTERNAL_SERVER_ERROR';
}

function oldest(): string {
  return `now() - make_interval(hours => ${KEPT_HOURS})`;
}

function place(userId: number, key: string): string {
  return `idempotency_key:sealed_response:${userId}:${key}`;
}
