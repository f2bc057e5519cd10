import { z } from 'zod';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder, type Updateable } from '../../../platform/database/typed-queries.js';
import { ConflictError, ForbiddenError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../../platform/lists/page.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../../platform/sql/transaction-lock.js';
import type { AccountTables } from '../account-tables.js';
import { waitForLeaseExpiry } from '../api-keys/key-leases.js';
import { recordAuditEvent } from '../audit.js';
import { endSessionsOf } from '../sessions/session.service.js';
import { deleteLinksOf } from '../sessions/sign-in-links.js';
import type { Viewer } from '../viewer.js';
import { anonymizeUser } from './delete-user.js';
import { MAX_EMAIL, normalizeEmail } from './email-address.js';
import { checkPassword, hashPassword } from './password.js';
import type { UserCreateInput, UserFilter, UserUpdateInput } from './user.inputs.js';
import type { User } from './user.js';

const EMAIL_TAKEN = 'A user with this email already exists.';

/** Every column except the hash of the password, of which only the existence is read. */
const COLUMNS = [
  expression<boolean>`password_hash is not null`.as('hasPassword'),
  ...(['id', 'email', 'name', 'is_admin as isAdmin', 'is_api_allowed as isApiAllowed'] as const),
  ...(['disabled_at as disabledAt', 'deleted_at as deletedAt', 'created_at as createdAt'] as const),
  ...(['service_limit_usd as serviceLimitUsd', 'service_spent_usd as serviceSpentUsd'] as const),
  ...(['service_reserved_usd as serviceReservedUsd'] as const),
] as const;

/** Manages users. All methods except `me` require an administrator. */
export class UserService {
  constructor(private readonly database: Database) {}

  async me(viewer: Viewer): Promise<User> {
    return this.#load(viewer.userId);
  }

  /** Lists users, newest first. */
  async list(viewer: Viewer, filter: UserFilter | null | undefined, page: PageArgs): Promise<Page<User>> {
    assertAdministrator(viewer);
    const { limit, offset } = toLimitOffset(page);
    const { search, isAdmin } = filter ?? {};
    const faults = new Faults();
    faults.text('search', search, { max: 255 });
    faults.throwIfAny();
    const pattern = search ? toContainsPattern(search) : null;
    const users = queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .where('deleted_at', 'is', null)
      .$if(pattern !== null, query =>
        query.where(({ or, eb }) => or([eb('email', 'ilike', pattern), eb('name', 'ilike', pattern)])),
      )
      .$if(isAdmin != null, query => query.where('is_admin', '=', isAdmin!));
    const [items, { total }] = await Promise.all([
      users
        .select(COLUMNS)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .$castTo<User>()
        .execute(),
      users.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items };
  }

  async get(viewer: Viewer, id: number): Promise<User> {
    assertAdministrator(viewer);
    return this.#load(id);
  }

  async create(viewer: Viewer, input: UserCreateInput): Promise<User> {
    assertAdministrator(viewer);
    checkInput(input);
    const passwordHash = input.password == null ? null : await hashPassword(input.password);
    const { isAdmin, isApiAllowed } = { isAdmin: input.isAdmin ?? false, isApiAllowed: input.isApiAllowed ?? false };
    const id = await this.database.transaction(async sql => {
      const row = await queryBuilder<AccountTables>(sql)
        .insertInto('app_user')
        .values({
          ...{ email: normalizeEmail(input.email), name: input.name ?? '', password_hash: passwordHash },
          ...{ is_admin: isAdmin, is_api_allowed: isApiAllowed },
        })
        .onConflict(conflict => conflict.column('email').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new ConflictError(EMAIL_TAKEN);
      const object = { type: 'user', id: row.id };
      await recordAuditEvent(sql, viewer, { action: 'user.create', object, detail: { isAdmin, isApiAllowed } });
      return row.id;
    });
    return this.#load(id);
  }

  async update(viewer: Viewer, id: number, input: UserUpdateInput): Promise<User> {
    assertAdministrator(viewer);
    checkInput(input, ['isAdmin', 'isApiAllowed', 'isDisabled']);
    const passwordHash = input.password == null ? null : await hashPassword(input.password);
    await this.database.transaction(async sql => {
      await takeTransactionLock(sql, ADVISORY_LOCKS.administrators);
      const changes = changesOf(input, passwordHash);
      if (input.email !== undefined) changes.email = await assertEmailFree(sql, id, normalizeEmail(input.email));
      const { isDisabled } = input;
      if (Object.keys(changes).length === 0 && isDisabled === undefined) return;
      const row = await queryBuilder<AccountTables>(sql)
        .updateTable('app_user')
        .set(changes)
        // Disabling a disabled user again keeps the original time.
        .$if(isDisabled !== undefined, change =>
          change.set({ disabled_at: isDisabled ? expression<Date>`coalesce(disabled_at, now())` : null }),
        )
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new NotFoundError();
      if (input.isAdmin === false || input.isDisabled) await assertAdministratorRemains(sql);
      if (input.password !== undefined || input.isDisabled) {
        await deleteLinksOf(sql, id);
        await endSessionsOf(sql, id);
      }
      await recordAuditEvent(sql, viewer, {
        action: 'user.update',
        object: { type: 'user', id },
        detail: toAuditDetail(input),
      });
    });
    if (input.isAdmin !== undefined || input.isApiAllowed !== undefined || input.isDisabled !== undefined)
      await waitForLeaseExpiry();
    return this.#load(id);
  }

  /**
   * Deletes a user as described at `anonymizeUser` and returns the last state.
   *
   * @throws ConflictError if the user owns projects or no administrator would remain
   */
  async delete(viewer: Viewer, id: number): Promise<User> {
    assertAdministrator(viewer);
    const user = await this.#load(id);
    await this.database.transaction(async sql => {
      await takeTransactionLock(sql, ADVISORY_LOCKS.administrators);
      await recordAuditEvent(sql, viewer, { action: 'user.delete', object: { type: 'user', id } });
      await anonymizeUser(sql, id);
      await assertAdministratorRemains(sql);
    });
    await waitForLeaseExpiry();
    return user;
  }

  async #load(id: number): Promise<User> {
    const user = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .$castTo<User>()
      .executeTakeFirst();
    if (!user) throw new NotFoundError();
    return user;
  }
}

/**
 * Throws unless the viewer is an administrator. Call it before any lookup, so that other users cannot find out
 * which ids exist.
 */
export function assertAdministrator(viewer: Viewer): void {
  if (!viewer.isAdmin) throw new ForbiddenError('Only administrators may do this.');
}

/** The columns that an update sets, except the email, for which `assertEmailFree` is called first. */
function changesOf(
  { password, name, isAdmin, isApiAllowed }: UserUpdateInput,
  passwordHash: string | null,
): Updateable<AccountTables['app_user']> {
  return {
    ...(password !== undefined && { password_hash: passwordHash }),
    ...(name !== undefined && { name: name ?? '' }),
    ...(isAdmin != null && { is_admin: isAdmin }),
    ...(isApiAllowed != null && { is_api_allowed: isApiAllowed }),
  };
}

/** `notNull` lists members that may be absent but not null. */
function checkInput(input: UserUpdateInput, notNull: (keyof UserUpdateInput)[] = []): void {
  const faults = new Faults();
  for (const member of notNull) if (input[member] === null) faults.add(member, NOT_NULL);
  faults.text('email', input.email, { min: 1, max: MAX_EMAIL });
  if (input.email && !z.email().safeParse(normalizeEmail(input.email)).success)
    faults.add('email', 'Enter a valid email address.');
  faults.text('name', input.name, { max: 255 });
  if (input.password != null) checkPassword(faults, 'password', input.password);
  faults.throwIfAny();
}

/** Returns the email. Throws ConflictError if another user has it. */
async function assertEmailFree(sql: Sql, id: number, email: string): Promise<string> {
  const otherUser = await queryBuilder<AccountTables>(sql)
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (otherUser) throw new ConflictError(EMAIL_TAKEN);
  return email;
}

/**
 * Throws if no active administrator remains. The caller holds the lock `administrators`, so that two
 * administrators cannot remove each other concurrently.
 */
async function assertAdministratorRemains(sql: Sql): Promise<void> {
  const administrator = await queryBuilder<AccountTables>(sql)
    .selectFrom('app_user')
    .select('id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!administrator)
    throw new ConflictError('This is the last active administrator. Make another user an administrator first.');
}

/** Returns the changes for the audit log without the value of the password. */
function toAuditDetail({ password, ...rest }: UserUpdateInput): Record<string, unknown> {
  return password === undefined ? rest : { ...rest, password: 'changed' };
}
