import { newApiKey, sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import type { AccountTables } from '../account-tables.js';
import { recordAuditEvent } from '../audit.js';
import { assertAdministrator } from '../users/user.service.js';
import type { Viewer } from '../viewer.js';
import type { ApiKeyCreateInput, ApiKeyUpdateInput } from './api-key.inputs.js';
import type { ApiKey } from './api-key.js';
import { waitForLeaseExpiry } from './key-leases.js';

const MAX_RATE_LIMIT = 1_000_000;
/** Maximum number of keys per user. Rate limits count by key, so an unlimited number of keys would allow unlimited requests. */
const MAX_KEYS = 100;

/** Every column except the hash of the key. */
const COLUMNS = [
  ...(['id', 'user_id as userId', 'name', 'prefix', 'rate_limit as rateLimit', 'spent_usd as spentUsd'] as const),
  ...(['budget_usd as budgetUsd', 'reserved_usd as reservedUsd', 'created_at as createdAt'] as const),
  ...(['last_used_at as lastUsedAt', 'expires_at as expiresAt'] as const),
] as const;

/** Manages API keys. Users manage their own keys, administrators the keys of all users. */
export class ApiKeyService {
  constructor(private readonly database: Database) {}

  /** Lists the keys of the viewer, newest first. Administrators may pass the `userId` of another user. */
  async list(viewer: Viewer, userId: number | null, page: PageArgs): Promise<Page<ApiKey>> {
    if (userId !== null && userId !== viewer.userId) assertAdministrator(viewer);
    const { limit, offset } = toLimitOffset(page);
    const keys = queryBuilder<AccountTables>(this.database)
      .selectFrom('api_key')
      .where('user_id', '=', userId ?? viewer.userId);
    const [items, { total }] = await Promise.all([
      keys
        .select(COLUMNS)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .$castTo<ApiKey>()
        .execute(),
      keys.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items };
  }

  /** Returns a key of the viewer. Administrators may read the keys of all users. */
  async get(viewer: Viewer, id: number): Promise<ApiKey> {
    const key = await this.#load(id);
    if (key.userId !== viewer.userId && !viewer.isAdmin) throw new NotFoundError();
    return key;
  }

  /**
   * Creates a key. Only the result contains the key itself; the database stores its hash.
   *
   * @param key the key itself, when the operator chooses it
   */
  async create(viewer: Viewer, input: ApiKeyCreateInput, key = newApiKey()): Promise<ApiKey> {
    // A new key would have no limit and so bypass the limit of this one.
    if (viewer.isKeyLimited) throw new ForbiddenError('An API key with a spending limit cannot create API keys.');
    const userId = input.userId ?? viewer.userId;
    if (userId !== viewer.userId || input.rateLimit != null) assertAdministrator(viewer);
    check(input);
    const id = await this.database.transaction(async sql => {
      // The lock on the user serializes the creation of keys, so that concurrent requests cannot exceed MAX_KEYS.
      const tables = queryBuilder<AccountTables>(sql);
      const owner = await tables
        .selectFrom('app_user')
        .select('is_api_allowed as isAllowed')
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!owner) throw new InvalidInputError({ userId: ['Object does not exist.'] });
      if (!owner.isAllowed) throw new ForbiddenError('An administrator must allow this user to use the API first.');
      const existing = await tables
        .selectFrom('api_key')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      if (existing.count >= MAX_KEYS) throw new ConflictError(`A user has at most ${MAX_KEYS} keys: delete one first.`);
      const row = await tables
        .insertInto('api_key')
        .values({
          ...{ user_id: userId, name: input.name.trim(), prefix: key.slice(0, 6), hash: sha256(key) },
          ...{ rate_limit: input.rateLimit ?? null, expires_at: input.expiresAt ?? null },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const auditEvent = { action: 'api-key.create', object: { type: 'api-key', id: row.id }, detail: { userId } };
      await recordAuditEvent(sql, viewer, auditEvent);
      return row.id;
    });
    return Object.assign(await this.#load(id), { key });
  }

  /** Changes the rate limit of a key, in requests per minute. Requires an administrator. */
  async update(viewer: Viewer, id: number, input: ApiKeyUpdateInput): Promise<ApiKey> {
    assertAdministrator(viewer);
    check(input);
    const { rateLimit } = input;
    if (rateLimit !== undefined) {
      await this.database.transaction(async sql => {
        const row = await queryBuilder<AccountTables>(sql)
          .updateTable('api_key')
          .set({ rate_limit: rateLimit })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst();
        if (!row) throw new NotFoundError();
        const object = { type: 'api-key', id };
        await recordAuditEvent(sql, viewer, { action: 'api-key.update', object, detail: { rateLimit } });
      });
      await waitForLeaseExpiry();
    }
    return this.#load(id);
  }

  /**
   * Deletes a key of the viewer. Administrators may delete the keys of all users. Every request that starts
   * afterwards is refused.
   */
  async delete(viewer: Viewer, id: number): Promise<ApiKey> {
    const key = await this.get(viewer, id);
    await this.database.transaction(async sql => {
      const row = await queryBuilder<AccountTables>(sql)
        .deleteFrom('api_key')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new NotFoundError();
      const detail = { userId: key.userId, prefix: key.prefix };
      await recordAuditEvent(sql, viewer, { action: 'api-key.delete', object: { type: 'api-key', id }, detail });
    });
    await waitForLeaseExpiry();
    return key;
  }

  async #load(id: number): Promise<ApiKey> {
    const key = await queryBuilder<AccountTables>(this.database)
      .selectFrom('api_key')
      .select(COLUMNS)
      .where('id', '=', id)
      .$castTo<ApiKey>()
      .executeTakeFirst();
    if (!key) throw new NotFoundError();
    return key;
  }
}

function check(input: Partial<ApiKeyCreateInput>): void {
  const faults = new Faults();
  faults.text('name', input.name, { min: 1, max: 255 });
  faults.integer('rateLimit', input.rateLimit, { min: 0, max: MAX_RATE_LIMIT });
  if (input.expiresAt != null && input.expiresAt.getTime() <= Date.now())
    faults.add('expiresAt', 'Ensure this moment is in the future.');
  faults.throwIfAny();
}
