import type { AuthKind } from '../../../rest-compat/runtime/route.js';
import { CALLERS, type Caller, type Impostor } from './callers.js';
import { type GraphQLRow, type RestRow, type Row, type Verdict, verdictOn } from './rows.js';

/** Credentials that are sent as a key: a route without authentication still refuses wrong ones. */
const WRONG_KEYS: Impostor[] = ['a deleted key', 'an expired key', 'the key of a user who may have none'];

export interface Cell<R extends Row> {
  row: R;
  caller: Caller;
  isDone: boolean;
  /** The one right answer: an HTTP status with the error's code, or a GraphQL code; `ok` stands for the status that the row declares. */
  answer: string;
}

export function restCell(row: RestRow, caller: Caller, auth: AuthKind): Cell<RestRow> {
  const takesKeys = auth === 'BEARER' || auth === 'ANY_KEY';
  const answer = takesKeys ? byKey(row, caller, auth) : byRest(row, caller, auth);
  return { row, caller, isDone: answer === 'ok', answer };
}

function byRest(row: RestRow, caller: Caller, auth: AuthKind): string {
  if ('impostor' in caller) return impostorByRest(caller.impostor, auth);
  // A session is refused where a key is required.
  if (auth === 'API_KEY_ONLY' && caller.means === 'session') return '401 not_authenticated';
  return byVerdict(row, caller, REST);
}

/** An API key in the header of sessions, or in either header, and nothing else. */
function byKey(row: RestRow, caller: Caller, auth: 'BEARER' | 'ANY_KEY'): string {
  if ('person' in caller && caller.means === 'key') return byVerdict(row, caller, REST);
  const isKey = 'impostor' in caller && caller.impostor === 'a key in place of a session';
  if (isKey) return 'ok';
  return auth === 'BEARER' ? '401 invalid_api_key' : '401 authentication_error';
}

export function graphqlCell(row: GraphQLRow, caller: Caller): Cell<GraphQLRow> {
  const isWelcome = 'impostor' in caller && caller.impostor === 'anonymous' && row.rule === 'public';
  const impostor = isWelcome ? 'ok' : 'UNAUTHENTICATED';
  const answer = 'impostor' in caller ? impostor : byVerdict(row, caller, GRAPHQL);
  return { row, caller, isDone: answer === 'ok', answer };
}

/** Callers who can open a socket; the others are refused at the connection. */
export const SOCKET_CALLERS = CALLERS.filter(caller => 'person' in caller);

const REST: Record<Verdict, string> = { ok: 'ok', forbidden: '403 permission_denied', missing: '404 not_found' };
const GRAPHQL: Record<Verdict, string> = { ok: 'ok', forbidden: 'FORBIDDEN', missing: 'NOT_FOUND' };

function byVerdict(row: Row, { person }: Extract<Caller, { person: unknown }>, usual: Record<Verdict, string>): string {
  const verdict = verdictOn(row, person);
  if (verdict === 'forbidden') return row.weak ?? usual.forbidden;
  return verdict === 'missing' ? (row.missing ?? usual.missing) : 'ok';
}

function impostorByRest(impostor: Impostor, auth: AuthKind): string {
  const unknown = '401 not_authenticated';
  if (auth === 'NONE') return WRONG_KEYS.includes(impostor) ? unknown : 'ok';
  if (auth !== 'SERVICE') return unknown;
  if (impostor === 'the service token') return 'ok';
  return impostor === 'a key in place of a session' ? '403 permission_denied' : unknown;
}
