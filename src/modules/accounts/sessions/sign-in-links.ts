import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { AccountTables } from '../account-tables.js';
import { recordAuditEvent } from '../audit.js';
import { OPERATOR, type Viewer } from '../viewer.js';

/** How long a sign-in link is valid. */
export const SIGN_IN_LINK_MINUTES = 30;
/** How long a link for a new password is valid if an administrator created it to pass it on. */
export const RESET_LINK_HOURS = 24;
/** How long a link for a new password is valid if its user requested it by email. */
export const EMAILED_LINK_MINUTES = 60;
const SIGN_IN_LINK_END = expression<Date>`now() + make_interval(mins => ${SIGN_IN_LINK_MINUTES})`;
const RESET_LINK_END = expression<Date>`now() + make_interval(hours => ${RESET_LINK_HOURS})`;
const EMAILED_LINK_END = expression<Date>`now() + make_interval(mins => ${EMAILED_LINK_MINUTES})`;
/** Limits the work for a sent text of any length. Issued tokens have 43 characters. */
const MAX_HASHED_CHARACTERS = 256;

/** Issues the token of a link that logs the user in once. It is returned only here. Call it in a transaction. */
export async function issueSignInLink(sql: Sql, userId: number): Promise<string> {
  const token = newToken();
  await queryBuilder<AccountTables>(sql)
    .insertInto('sign_in_link')
    .values({ hash: sha256(token), user_id: userId, expires_at: SIGN_IN_LINK_END })
    .execute();
  await recordAuditEvent(sql, OPERATOR, { action: 'sign-in-link.create', object: { type: 'user', id: userId } });
  return token;
}

/** Issues the token of a link by which the user sets a new password once. It replaces all earlier links of the user. */
export async function issueResetLink(
  sql: Sql,
  viewer: Viewer,
  userId: number,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  await deleteLinksOf(sql, userId);
  const { expiresAt } = await queryBuilder<AccountTables>(sql)
    .insertInto('sign_in_link')
    .values({ hash: sha256(token), user_id: userId, expires_at: RESET_LINK_END, resets_password: true })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow();
  const object = { type: 'user', id: userId };
  await recordAuditEvent(sql, viewer, { action: 'password-reset-link.create', object });
  return { token, expiresAt };
}

/**
 * Issues the token of a link for a new password that is sent to the email of its user. It can be requested without
 * credentials, so it leaves the other links of the user valid.
 */
export async function issueEmailedLink(sql: Sql, viewer: Viewer, userId: number): Promise<string> {
  const token = newToken();
  await queryBuilder<AccountTables>(sql)
    .insertInto('sign_in_link')
    .values({ hash: sha256(token), user_id: userId, expires_at: EMAILED_LINK_END, resets_password: true })
    .execute();
  const object = { type: 'user', id: userId };
  await recordAuditEvent(sql, viewer, { action: 'password-reset-link.create', object, detail: { byEmail: true } });
  return token;
}

/** Deletes all links of a user. Call it when the password changes, so that no earlier link outlives it. */
export async function deleteLinksOf(sql: Sql, userId: number): Promise<void> {
  await queryBuilder<AccountTables>(sql).deleteFrom('sign_in_link').where('user_id', '=', userId).execute();
}

/** Deletes a sign-in link. Returns its user, or undefined for a link that is unknown, used or expired or whose user is disabled. */
export function takeSignInLink(sql: Sql, token: string): Promise<{ userId: number } | undefined> {
  return queryBuilder<AccountTables>(sql)
    .deleteFrom('sign_in_link as l')
    .using('app_user as u')
    .where('l.hash', '=', toHash(token))
    .where('l.resets_password', '=', false)
    .where('l.expires_at', '>', NOW)
    .whereRef('u.id', '=', 'l.user_id')
    .where('u.disabled_at', 'is', null)
    .returning('l.user_id as userId')
    .executeTakeFirst();
}

/**
 * Finds the user of a link for a new password. Returns undefined for a link that is unknown, used or expired or whose user is
 * disabled. In a transaction, the link is locked until its end.
 */
export function findResetLink(sql: Sql, token: string): Promise<{ userId: number; email: string } | undefined> {
  return queryBuilder<AccountTables>(sql)
    .selectFrom('sign_in_link as l')
    .innerJoin('app_user as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.email as email'])
    .where('l.hash', '=', toHash(token))
    .where('l.resets_password', '=', true)
    .where('l.expires_at', '>', NOW)
    .where('u.disabled_at', 'is', null)
    .forUpdate('l')
    .executeTakeFirst();
}

/** The address of the console that exchanges the token. Servers and proxies do not see the part after `#`. */
export function signInAddress(origin: string, token: string, next?: string): string {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  return `${origin}/sign-in${query}#token=${token}`;
}

/** The path of the console where the user of a link sets the new password. */
export const resetPath = (token: string) => `/reset-password#token=${token}`;

const newToken = () => randomBytes(32).toString('base64url');
const toHash = (token: string) => sha256(token.slice(0, MAX_HASHED_CHARACTERS));
