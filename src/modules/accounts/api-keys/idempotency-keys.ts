import { randomUUID } from 'node:crypto';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import { type Database, whenReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { expression, NOW, queries } from '../../../platform/database/typed-queries.js';
import type { Log } from '../../../platform/logging/log.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { AccountTables } from '../account-tables.js';
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

const OLDEST = expression<Date>`now() - make_interval(hours => ${KEPT_HOURS})`;

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
      const row = await this.#tables()
        .selectFrom('idempotency_key')
        .select(({ eb }) => [
          eb('request_digest', '=', digest).$castTo<boolean>().as('isSame'),
          'sealed_response as sealedResponse',
        ])
        .where('user_id', '=', viewer.userId)
        .where('key', '=', key)
        .where('created_at', '>=', OLDEST)
        .executeTakeFirst();
      // Forgotten between the two statements: it is free to be claimed.
      if (!row) continue;
      if (!row.isSame) return { kind: 'another request' };
      if (row.sealedResponse === null) return { kind: 'under way' };
      return { kind: 'again', text: this.vault.openBytes(row.sealedResponse, place(viewer.userId, key)) };
    }
  }

  /** Deletes what has outlived its 24 hours; it is heeded no more before that. Safe to run beside itself. */
  async expire(): Promise<void> {
    await deleteInBatches(rows =>
      this.#tables()
        .deleteFrom('idempotency_key')
        .where(({ refTuple, selectFrom, eb }) =>
          eb(
            refTuple('user_id', 'key'),
            'in',
            selectFrom('idempotency_key')
              .select(['user_id', 'key'])
              .where('created_at', '<', OLDEST)
              .limit(rows)
              .forUpdate()
              .skipLocked()
              .$asTuple('user_id', 'key'),
          ),
        )
        .returning('user_id')
        .execute(),
    );
  }

  /**
   * One statement: of any number of processes that claim a key at once, one gets the row. A free key keeps its reserved id
   * as long as the request is the same, so that a run which was started without an answer is found again.
   */
  async #claim(userId: number, key: string, digest: Buffer): Promise<Claim | null> {
    const claim = randomUUID();
    const row = await this.#tables()
      .insertInto('idempotency_key')
      .values({
        ...{ user_id: userId, key, request_digest: digest, claim, reserved_id: timeOrderedUuid() },
        claimed_until: expression<Date>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
      })
      .onConflict(conflict =>
        conflict
          .columns(['user_id', 'key'])
          .doUpdateSet(({ eb, ref, and }) => ({
            request_digest: ref('excluded.request_digest'),
            claim: ref('excluded.claim'),
            claimed_until: ref('excluded.claimed_until'),
            sealed_response: null,
            created_at: NOW,
            reserved_id: eb
              .case()
              .when(
                and([
                  eb('idempotency_key.request_digest', '=', ref('excluded.request_digest')),
                  eb('idempotency_key.created_at', '>=', OLDEST),
                ]),
              )
              .then(ref('idempotency_key.reserved_id'))
              .else(ref('excluded.reserved_id'))
              .end(),
          }))
          .where(({ eb, or, and }) =>
            or([
              eb('idempotency_key.created_at', '<', OLDEST),
              and([eb('idempotency_key.sealed_response', 'is', null), eb('idempotency_key.claimed_until', '<=', NOW)]),
            ]),
          ),
      )
      .returning('reserved_id as reservedId')
      .executeTakeFirst();
    return row ? { userId, key, claim, reservedId: row.reservedId } : null;
  }

  async #work(claim: Claim, work: (reservedId: string) => Promise<KeyedAnswer>): Promise<string> {
    failpoint('key.claimed');
    let answer: KeyedAnswer;
    try {
      answer = await work(claim.reservedId);
    } catch (error) {
      // A fault may have come after the work was done: the reserved id stays, and tells when it was.
      await this.#settle(claim, isRefusal(error) ? this.#forget(claim) : this.#lapse(claim));
      throw error;
    }
    failpoint('key.answered');
    await this.#settle(claim, answer.isKept ? this.#keep(claim, answer.text) : this.#forget(claim));
    return answer.text;
  }

  /**
   * The work is done or has failed, and its caller hears so at once: while the database is away this goes on behind the
   * answer, for as long as the claim lasts, which lapses by itself.
   */
  async #settle({ userId }: Claim, statement: { execute(): Promise<unknown> }): Promise<void> {
    const write = () => statement.execute();
    const complain = (error: unknown) =>
      this.log.warn({ err: error, userId }, 'the outcome of an idempotency key could not be written');
    try {
      await write();
    } catch (error) {
      if (!isRetryableDatabaseError(error)) return complain(error);
      void whenReachable(write, AbortSignal.timeout(CLAIM_SECONDS * 1_000)).catch(complain);
    }
  }

  #keep(claim: Claim, text: string) {
    const sealed = this.vault.sealBytes(text, place(claim.userId, claim.key));
    return this.#update(claim).set({ sealed_response: sealed, claim: null });
  }

  #lapse(claim: Claim) {
    return this.#update(claim).set({ claimed_until: expression<Date>`'-infinity'` });
  }

  #update({ userId, key, claim }: Claim) {
    return this.#tables()
      .updateTable('idempotency_key')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('claim', '=', claim);
  }

  #forget({ userId, key, claim }: Claim) {
    return this.#tables()
      .deleteFrom('idempotency_key')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('claim', '=', claim);
  }

  #tables() {
    return queries<AccountTables>(this.database);
  }
}

/** A refusal that the caller is meant to see changed nothing. */
function isRefusal(error: unknown): boolean {
  const code = (error as { extensions?: { code?: unknown } }).extensions?.code;
  return typeof code === 'string' && code !== 'UNAVAILABLE' && code !== 'INTERNAL_SERVER_ERROR';
}

function place(userId: number, key: string): string {
  return `idempotency_key:sealed_response:${userId}:${key}`;
}
