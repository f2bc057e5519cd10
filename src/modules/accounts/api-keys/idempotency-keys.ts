import { randomUUID } from 'node:crypto';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import { type Database, whenReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Log } from '../../../platform/logging/log.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { AccountTables } from '../account-tables.js';
import type { Viewer } from '../viewer.js';

/** The response of the work for a key. `isKept`: whether repeated requests receive the same response. */
export interface IdempotentResponse {
  text: string;
  isKept: boolean;
}

export type IdempotencyOutcome =
  | { kind: 'first' | 'again'; text: string }
  | { kind: 'under way' }
  | { kind: 'another request' };

interface Claim {
  userId: number;
  key: string;
  /** A fencing token: a later claim of the same key has another one, and only the current claim may write. */
  claim: string;
  reservedId: string;
}

/** The duration of a claim. After that, another process may claim the key of a crashed process. */
const CLAIM_SECONDS = 60;
const RETENTION_HOURS = 24;
/** Length of the truncated SHA-256. A client that constructs a collision affects only its own requests. */
const DIGEST_BYTES = 16;

const EXPIRED_BEFORE = expression<Date>`now() - make_interval(hours => ${RETENTION_HOURS})`;

/**
 * Stores the responses to requests with an `Idempotency-Key` for 24 hours. Keys belong to a user and are shared
 * by all processes. Responses are sealed, because they may contain new credentials.
 */
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly log: Log,
  ) {}

  /**
   * Runs `work` once for a key of the viewer, or returns the stored response of the first run. `work` receives
   * the id that the object it creates must have. A rejected request, or a response with `isKept: false`, frees
   * the key.
   */
  async once(
    viewer: Viewer,
    key: string,
    request: string | Buffer,
    work: (reservedId: string) => Promise<IdempotentResponse>,
  ): Promise<IdempotencyOutcome> {
    const digest = this.vault.digest(request).subarray(0, DIGEST_BYTES);
    for (;;) {
      const claim = await this.#claim(viewer.userId, key, digest);
      if (claim) return { kind: 'first', text: await this.#runWork(claim, work) };
      const row = await this.#tables()
        .selectFrom('idempotency_key')
        .select(({ eb }) => [
          eb('request_digest', '=', digest).$castTo<boolean>().as('isSame'),
          'sealed_response as sealedResponse',
        ])
        .where('user_id', '=', viewer.userId)
        .where('key', '=', key)
        .where('created_at', '>=', EXPIRED_BEFORE)
        .executeTakeFirst();
      // The row was deleted between the two statements, so the key can be claimed.
      if (!row) continue;
      if (!row.isSame) return { kind: 'another request' };
      if (row.sealedResponse === null) return { kind: 'under way' };
      return { kind: 'again', text: this.vault.openBytes(row.sealedResponse, sealContextOf(viewer.userId, key)) };
    }
  }

  /**
   * Deletes keys older than 24 hours. Expired keys are ignored even before their deletion. Safe to run
   * concurrently.
   */
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
              .where('created_at', '<', EXPIRED_BEFORE)
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
   * Claims a key in one statement, so that exactly one of several concurrent processes succeeds. A lapsed claim
   * of the same request keeps its reserved id. A repeated request therefore finds a run that was started before
   * a crash.
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
                  eb('idempotency_key.created_at', '>=', EXPIRED_BEFORE),
                ]),
              )
              .then(ref('idempotency_key.reserved_id'))
              .else(ref('excluded.reserved_id'))
              .end(),
          }))
          .where(({ eb, or, and }) =>
            or([
              eb('idempotency_key.created_at', '<', EXPIRED_BEFORE),
              and([eb('idempotency_key.sealed_response', 'is', null), eb('idempotency_key.claimed_until', '<=', NOW)]),
            ]),
          ),
      )
      .returning('reserved_id as reservedId')
      .executeTakeFirst();
    return row ? { userId, key, claim, reservedId: row.reservedId } : null;
  }

  async #runWork(claim: Claim, work: (reservedId: string) => Promise<IdempotentResponse>): Promise<string> {
    failpoint('key.claimed');
    let answer: IdempotentResponse;
    try {
      answer = await work(claim.reservedId);
    } catch (error) {
      // The work may be done although it threw. The reserved id stays, so that the next request can find the
      // result.
      await this.#settle(claim, isRefusal(error) ? this.#freeKey(claim) : this.#expireClaim(claim));
      throw error;
    }
    failpoint('key.answered');
    await this.#settle(claim, answer.isKept ? this.#storeResponse(claim, answer.text) : this.#freeKey(claim));
    return answer.text;
  }

  /**
   * Writes the outcome of a claim. If the database is unavailable, the write is retried in the background until
   * the claim lapses, so that the caller does not wait.
   */
  async #settle({ userId }: Claim, statement: { execute(): Promise<unknown> }): Promise<void> {
    const write = () => statement.execute();
    const logFailure = (error: unknown) => this.log.warn({ err: error, userId }, 'idempotency key outcome not written');
    try {
      await write();
    } catch (error) {
      if (!isRetryableDatabaseError(error)) return logFailure(error);
      void whenReachable(write, AbortSignal.timeout(CLAIM_SECONDS * 1_000)).catch(logFailure);
    }
  }

  #storeResponse(claim: Claim, text: string) {
    const sealed = this.vault.sealBytes(text, sealContextOf(claim.userId, claim.key));
    return this.#update(claim).set({ sealed_response: sealed, claim: null });
  }

  #expireClaim(claim: Claim) {
    return this.#update(claim).set({ claimed_until: expression<Date>`'-infinity'` });
  }

  #update({ userId, key, claim }: Claim) {
    return this.#tables()
      .updateTable('idempotency_key')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('claim', '=', claim);
  }

  #freeKey({ userId, key, claim }: Claim) {
    return this.#tables()
      .deleteFrom('idempotency_key')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('claim', '=', claim);
  }

  #tables() {
    return queryBuilder<AccountTables>(this.database);
  }
}

/** Errors with a client error code are thrown before anything is changed. */
function isRefusal(error: unknown): boolean {
  const code = (error as { extensions?: { code?: unknown } }).extensions?.code;
  return typeof code === 'string' && code !== 'UNAVAILABLE' && code !== 'INTERNAL_SERVER_ERROR';
}

function sealContextOf(userId: number, key: string): string {
  return `idempotency_key:sealed_response:${userId}:${key}`;
}
