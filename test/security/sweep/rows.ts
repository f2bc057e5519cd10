import { type Action, isAllowed } from '../../../src/modules/projects/rights.js';
import type { Person } from './callers.js';
import type { Place } from './places/places.js';

/**
 * Who may: members by the action of the rights table, everybody who is logged in, everybody at all, administrators of
 * the service, the execution service, the one whose own it is, or the one who is invited (the viewer).
 */
export type Rule = { action: Action } | 'user' | 'anybody' | 'administrator' | 'service' | 'own' | 'invited';

export interface Row {
  rule: Rule;
  /** What a member with too low a role is told where it is not the usual. */
  weak?: string;
  /** What is said of an object that is not there, or not the caller's, where it is not the usual. */
  missing?: string;
  /** Whether it is done to an object that the request names. */
  namesSomething: boolean;
  /** Administrators are answered about what is gone as well. */
  outlives?: true;
}

/** `path` fills the parameters of the route. */
export interface RestRow extends Row {
  /** Method and path as the routes have them. */
  route: string;
  path: Record<string, (place: Place) => string | number>;
  query?: (place: Place) => Record<string, string | number>;
  headers?: (place: Place) => Record<string, string>;
  /** The status of a success of administrators, where it is not that of the others. */
  administrators?: number;
  /** The status of a success where the route has several. */
  status?: number;
  /** JSON, or a form. */
  body?: (place: Place) => unknown;
}

export interface GraphQLRow extends Row {
  /** Of the query, mutation or subscription type. */
  field: string;
  args: (place: Place) => Record<string, unknown>;
  /** The code with which those who may are answered, where it is an error. */
  success?: string;
  /** The argument that takes files. By HTTP it gets one; a socket carries none, and an empty list is a bad value. */
  uploads?: string;
}

export type RestMore = Partial<Omit<RestRow, 'route' | 'rule' | 'path'>>;

export function restRow(route: string, rule: Rule, path: RestRow['path'] = {}, more: RestMore = {}): RestRow {
  return { route, rule, path, namesSomething: Object.keys(path).length > 0, ...more };
}

export type GraphQLMore = Partial<Omit<GraphQLRow, 'field' | 'rule' | 'args'>>;

export function graphqlRow(
  field: string,
  rule: Rule,
  args: GraphQLRow['args'] = () => ({}),
  more: GraphQLMore = {},
): GraphQLRow {
  const namesSomething = typeof rule === 'object' || rule === 'own' || rule === 'invited';
  return { field, rule, args, namesSomething, ...more };
}

export type Verdict = 'ok' | 'forbidden' | 'missing';

/** What becomes of a request of somebody who is logged in. */
export function verdictOn({ rule }: Row, person: Person): Verdict {
  if (rule === 'user' || rule === 'anybody') return 'ok';
  if (rule === 'service') return 'forbidden';
  if (rule === 'invited') return person === 'viewer' ? 'ok' : 'missing';
  if (person === 'administrator') return 'ok';
  if (rule === 'administrator') return 'forbidden';
  if (rule === 'own') return person === 'owner' ? 'ok' : 'missing';
  if (person === 'stranger') return 'missing';
  return isAllowed(person, rule.action) ? 'ok' : 'forbidden';
}
