import { type Action, isAllowed } from '../../../src/modules/projects/rights.js';
import type { Person } from './callers.js';
import type { Fixture } from './fixtures/fixtures.js';

/**
 * The callers who are permitted: members by the action of the rights table, every user who is logged in, every caller,
 * administrators of the service, the execution service, the owner of the object, or the user who is invited (the
 * viewer).
 */
export type Rule = { action: Action } | 'user' | 'public' | 'administrator' | 'service' | 'own' | 'invited';

export interface Row {
  rule: Rule;
  /** The answer to a member whose role is too low, where it differs from the default. */
  forbidden?: string;
  /**
   * The answer for an object that does not exist or that the caller cannot access, where it differs from the default.
   */
  missing?: string;
  /**
   * Whether the request names an object. An outsider must then get the same answer for one that exists and one that does
   * not.
   */
  namesObject: boolean;
  /** Administrators get an answer for deleted objects as well. */
  outlives?: true;
}

/** `path` fills the parameters of the route. */
export interface RestRow extends Row {
  /** Method and path as the routes have them. */
  route: string;
  path: Record<string, (fixture: Fixture) => string | number>;
  query?: (fixture: Fixture) => Record<string, string | number>;
  headers?: (fixture: Fixture) => Record<string, string>;
  /** The status of a success for administrators, where it differs from the others. */
  administrators?: number;
  /** The status of a success where the route has several; 409 if the request cannot succeed. */
  status?: number;
  /** JSON, or a form. */
  body?: (fixture: Fixture) => unknown;
}

export interface GraphQLRow extends Row {
  /** Name of the field in the query, mutation or subscription type. */
  field: string;
  args: (fixture: Fixture) => Record<string, unknown>;
  /** The error code for permitted callers, where the request cannot succeed. */
  success?: string;
  /** The argument that takes files. Over HTTP it gets one; a socket carries none, and an empty list is a bad value. */
  uploads?: 'file' | 'files';
}

export type RestRowOptions = Partial<Omit<RestRow, 'route' | 'rule' | 'path'>>;

export function restRow(route: string, rule: Rule, path: RestRow['path'] = {}, more: RestRowOptions = {}): RestRow {
  return { route, rule, path, namesObject: Object.keys(path).length > 0, ...more };
}

export type GraphQLRowOptions = Partial<Omit<GraphQLRow, 'field' | 'rule' | 'args'>>;

/** Options of a GraphQL field whose input names an object: one that the caller cannot access is a bad value. */
export const BAD_INPUT_IF_MISSING: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };
/** Options of a REST route that, by the specification, answers a member whose role is too low with 400. */
export const BAD_REQUEST_IF_FORBIDDEN: RestRowOptions = { forbidden: '400 permission_denied' };
/** Options of a REST route that names an object in its query or body: one that the caller cannot access is a bad value. */
export const BAD_REQUEST_IF_MISSING: RestRowOptions = { namesObject: true, missing: '400' };

export function graphqlRow(
  field: string,
  rule: Rule,
  args: GraphQLRow['args'] = () => ({}),
  more: GraphQLRowOptions = {},
): GraphQLRow {
  const namesObject = typeof rule === 'object' || rule === 'own' || rule === 'invited';
  return { field, rule, args, namesObject, ...more };
}

export type Verdict = 'ok' | 'forbidden' | 'missing';

/** The outcome of a request of a user who is logged in. */
export function verdictOn({ rule }: Row, person: Person): Verdict {
  if (rule === 'user' || rule === 'public') return 'ok';
  if (rule === 'service') return 'forbidden';
  if (rule === 'invited') return person === 'viewer' ? 'ok' : 'missing';
  if (person === 'administrator') return 'ok';
  if (rule === 'administrator') return 'forbidden';
  if (rule === 'own') return person === 'owner' ? 'ok' : 'missing';
  if (person === 'outsider') return 'missing';
  return isAllowed(person, rule.action) ? 'ok' : 'forbidden';
}
