import { type HttpMethod, pathParameters, type Route } from './route.js';

/** A matching path: its routes by HTTP method, and the undecoded values of its parameters. */
export interface Match<R> {
  readonly routes: ReadonlyMap<string, R>;
  readonly values: readonly string[];
}

interface Branch<R> {
  readonly fixed: Map<string, Branch<R>>;
  parameter: Branch<R> | null;
  /** Routes whose last parameter `{+name}` is the rest of the path. */
  rest: Branch<R> | null;
  readonly routes: Map<HttpMethod, R>;
}

/** Finds routes in a tree of path segments. A fixed segment takes precedence over a `{parameter}`, and both over a `{+rest}`. */
export class Router<R extends { readonly route: Route }> {
  readonly #root: Branch<R> = emptyBranch();
  /** Paths without parameters, found by one lookup. */
  readonly #fixed = new Map<string, Match<R>>();

  constructor(routes: Iterable<R>) {
    for (const row of routes) {
      const { path, method } = row.route;
      let branch = this.#root;
      for (const segment of segmentsOf(path)) branch = childOf(branch, segment);
      branch.routes.set(method, row);
      if (!path.includes('{')) this.#fixed.set(path, { routes: branch.routes, values: [] });
    }
  }

  find(path: string): Match<R> | null {
    return this.#fixed.get(path) ?? search(this.#root, segmentsOf(path), 0, []);
  }
}

const NO_VALUES: Readonly<Record<string, string>> = {};

/** The decoded values by parameter name of the route; null when a value is not valid percent-encoded text. */
export function pathValues(route: Route, values: readonly string[]): Readonly<Record<string, string>> | null {
  if (values.length === 0) return NO_VALUES;
  try {
    return Object.fromEntries(
      pathParameters(route.path).map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
    );
  } catch {
    return null;
  }
}

/** The segments of a path. One slash at the end is ignored; other empty segments are significant. */
function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(1, end).split('/');
}

function emptyBranch<R>(): Branch<R> {
  return { fixed: new Map(), parameter: null, rest: null, routes: new Map() };
}

function childOf<R>(branch: Branch<R>, segment: string): Branch<R> {
  if (segment.startsWith('{+')) {
    branch.rest ??= emptyBranch();
    return branch.rest;
  }
  if (segment.startsWith('{')) {
    branch.parameter ??= emptyBranch();
    return branch.parameter;
  }
  const next = branch.fixed.get(segment) ?? emptyBranch<R>();
  branch.fixed.set(segment, next);
  return next;
}

function search<R>(branch: Branch<R>, segments: string[], at: number, values: string[]): Match<R> | null {
  const segment = segments[at];
  if (segment === undefined) return branch.routes.size > 0 ? { routes: branch.routes, values } : null;
  const fixed = branch.fixed.get(segment);
  const match = fixed && search(fixed, segments, at + 1, values);
  if (match) return match;
  if (segment === '') return null;
  const matched = branch.parameter && search(branch.parameter, segments, at + 1, [...values, segment]);
  if (matched || !branch.rest) return matched;
  return { routes: branch.rest.routes, values: [...values, segments.slice(at).join('/')] };
}
