import type { AuthKind } from '../../../rest-compat/runtime/route.js';
import { CALLERS, type Caller, type OtherCredentials } from './callers.js';
import { type GraphQLRow, type RestRow, type Row, type Verdict, verdictOn } from './rows.js';

/** Invalid keys. A route without authentication still refuses them. */
const INVALID_KEYS: OtherCredentials[] = ['a deleted key', 'an expired key', 'the key of a user who may have none'];

/** One request of the access matrix: an operation, a caller and the expected response. */
export interface AccessCase<R extends Row> {
  row: R;
  caller: Caller;
  isPermitted: boolean;
  /** An HTTP status with the error code, or a GraphQL error code. `ok`: the status that the row declares. */
  expected: string;
}

export function restCase(row: RestRow, caller: Caller, auth: AuthKind): AccessCase<RestRow> {
  const takesKeys = auth === 'BEARER' || auth === 'ANY_KEY';
  const expected = takesKeys ? expectedForKeyRoute(row, caller, auth) : expectedForRest(row, caller, auth);
  return { row, caller, isPermitted: expected === 'ok', expected };
}

function expectedForRest(row: RestRow, caller: Caller, auth: AuthKind): string {
  if ('credentials' in caller) return expectedForOtherCredentials(caller.credentials, auth);
  // A session is refused where a key is required.
  if (auth === 'API_KEY_ONLY' && caller.means === 'session') return '401 not_authenticated';
  return expectedForRole(row, caller, REST);
}

/** Routes with BEARER take an API key in the header of sessions, those with ANY_KEY in either header. They refuse everything else. */
function expectedForKeyRoute(row: RestRow, caller: Caller, auth: 'BEARER' | 'ANY_KEY'): string {
  if ('person' in caller && caller.means === 'key') return expectedForRole(row, caller, REST);
  const isKey = 'credentials' in caller && caller.credentials === 'a key in place of a session';
  if (isKey) return 'ok';
  return auth === 'BEARER' ? '401 invalid_api_key' : '401 authentication_error';
}

export function graphqlCase(row: GraphQLRow, caller: Caller): AccessCase<GraphQLRow> {
  const isPublic = 'credentials' in caller && caller.credentials === 'anonymous' && row.rule === 'public';
  const withoutPerson = isPublic ? 'ok' : 'UNAUTHENTICATED';
  const expected = 'credentials' in caller ? withoutPerson : expectedForRole(row, caller, GRAPHQL);
  return { row, caller, isPermitted: expected === 'ok', expected };
}

/** Callers who can open a socket; the others are refused at the connection. */
export const SOCKET_CALLERS = CALLERS.filter(caller => 'person' in caller);

const REST: Record<Verdict, string> = { ok: 'ok', forbidden: '403 permission_denied', missing: '404 not_found' };
const GRAPHQL: Record<Verdict, string> = { ok: 'ok', forbidden: 'FORBIDDEN', missing: 'NOT_FOUND' };

function expectedForRole(
  row: Row,
  { person }: Extract<Caller, { person: unknown }>,
  usual: Record<Verdict, string>,
): string {
  const verdict = verdictOn(row, person);
  if (verdict === 'forbidden') return row.forbidden ?? usual.forbidden;
  return verdict === 'missing' ? (row.missing ?? usual.missing) : 'ok';
}

function expectedForOtherCredentials(credentials: OtherCredentials, auth: AuthKind): string {
  const unknown = '401 not_authenticated';
  if (auth === 'NONE') return INVALID_KEYS.includes(credentials) ? unknown : 'ok';
  if (auth !== 'SERVICE') return unknown;
  if (credentials === 'the service token') return 'ok';
  return credentials === 'a key in place of a session' ? '403 permission_denied' : unknown;
}
