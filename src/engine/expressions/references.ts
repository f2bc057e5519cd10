import { nearestName } from '../nearest-name.js';
import type { NodeMember, Reference, ResponseMember, TemplateProblem } from './expression.js';

/** Names that would reach JavaScript internals. They never resolve, even as own properties. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A root of references, as the documentation and editors show it. */
export interface RootDescription {
  name: string;
  description: string;
}

/** All references, in the order of the documentation. */
export const ROOTS: readonly RootDescription[] = [
  { name: 'input.<field id>', description: 'The input. A declared field without a value is the empty text.' },
  { name: 'nodes.<node id>.content', description: 'The content of an earlier node as text.' },
  {
    name: 'nodes.<node id>.json',
    description: 'The content parsed as JSON, without a Markdown fence. Members and positions follow with dots.',
  },
  { name: 'nodes.<node id>.output', description: 'The content parsed as JSON, or as text if it is not JSON.' },
  { name: 'nodes.<node id>.status', description: '`succeeded`, `failed` or `skipped`.' },
  {
    name: 'nodes.<node id>.error',
    description:
      'The error of a failed node after which the run continued: `code`, `message`, `status` (of the HTTP response, or null) and `attempts`.',
  },
  {
    name: 'nodes.<node id>.usage',
    description:
      'The usage of language models by an earlier node over all attempts: `prompt_tokens`, `completion_tokens`, `total_tokens`, `cost_usd` (null: unknown) and `finish_reason`. Missing if it called none.',
  },
  {
    name: 'nodes.<node id>.http_status',
    description:
      'The status of the HTTP response of an earlier `http-node` or `graphql-node`, also of one that failed the node. Null: there was none.',
  },
  {
    name: 'nodes.<node id>.headers',
    description:
      'The headers of this response by their names in lower case, without cookies, together at most 16,384 characters. Null: the node has no content of a response.',
  },
  {
    name: 'previous.content',
    description: 'The content of the previous node; after several, a JSON array of contents.',
  },
  { name: 'previous.json', description: 'The same parsed as JSON.' },
  { name: 'previous.output', description: 'The same parsed as JSON, or as text if it is not JSON.' },
  { name: 'item', description: 'The current item; only in the body of a loop. Short for `input.item`.' },
  { name: 'index', description: 'The index of the current item from 0; only in the body of a loop.' },
  { name: 'vars.<name>', description: 'A variable that an earlier `set-node` has set. Members follow with dots.' },
  { name: 'env.<name>', description: 'A variable of the project.' },
  { name: 'run.id', description: 'The id of the run.' },
  { name: 'run.workflow_id', description: 'The id of the workflow; null for a run without a stored workflow.' },
  { name: 'run.started_at', description: 'The time when the run began, in UTC.' },
  { name: 'now', description: 'The time when the attempt of the node began, in UTC.' },
  { name: 'args.<name>', description: 'An argument of a call; only in the `request` of an agent’s HTTP tool.' },
];

const RESPONSE_MEMBERS: ReadonlySet<string> = new Set<ResponseMember>(['http_status', 'headers']);
const NODE_MEMBERS: ReadonlySet<string> = new Set<string>([
  ...RESPONSE_MEMBERS,
  'content',
  'json',
  'output',
  'status',
  'error',
  'usage',
]);
const PREVIOUS_MEMBERS: ReadonlySet<string> = new Set<NodeMember>(['content', 'json', 'output']);
/** Members without members of their own. */
const PLAIN_MEMBERS: ReadonlySet<string> = new Set<NodeMember>(['content', 'status', 'http_status']);
const RUN_MEMBERS: ReadonlySet<string> = new Set(['id', 'workflow_id', 'started_at']);

/** Parsers of the remaining segments, by first segment. Undefined: not a valid reference. */
const REFERENCE_PARSERS = new Map<string, (rest: readonly string[]) => Reference | undefined>([
  ['input', path => ({ root: 'input', path })],
  ['item', path => ({ root: 'input', path: ['item', ...path] })],
  ['index', path => (path.length === 0 ? { root: 'input', path: ['index'] } : undefined)],
  ['args', path => (path.length > 0 ? { root: 'args', path } : undefined)],
  ['vars', path => (path.length > 0 ? { root: 'vars', path } : undefined)],
  ['env', path => (path.length === 1 ? { root: 'env', path } : undefined)],
  ['nodes', nodeReference],
  ['previous', members => withMember({ root: 'previous' }, members, PREVIOUS_MEMBERS)],
  ['run', path => (path.length === 1 && RUN_MEMBERS.has(path[0] ?? '') ? { root: 'run', path } : undefined)],
  ['now', path => (path.length === 0 ? { root: 'now', path } : undefined)],
]);

/** Returns the reference that the segments name; undefined: none. */
export function parseReference([root = '', ...rest]: readonly string[]): Reference | undefined {
  if (rest.some(segment => FORBIDDEN.has(segment))) return undefined;
  return REFERENCE_PARSERS.get(root)?.(rest);
}

/** Returns true for a reference to the HTTP response of a node. */
export function isOfResponse({ member }: Reference): boolean {
  return member !== undefined && RESPONSE_MEMBERS.has(member);
}

/** Returns true for a name that never resolves. */
export function isForbidden(name: string): boolean {
  return FORBIDDEN.has(name);
}

function nodeReference([node, ...members]: readonly string[]): Reference | undefined {
  return node === undefined ? undefined : withMember({ root: 'nodes', node }, members, NODE_MEMBERS);
}

function withMember(
  of: Pick<Reference, 'root' | 'node'>,
  [member, ...path]: readonly string[],
  known: ReadonlySet<string>,
): Reference | undefined {
  if (member === undefined || !known.has(member)) return undefined;
  if (path.length > 0 && PLAIN_MEMBERS.has(member)) return undefined;
  return { ...of, member: member as NodeMember, path };
}

const VALID_REFERENCES =
  'input.<field id>, nodes.<node id>.content, nodes.<node id>.json, nodes.<node id>.output, nodes.<node id>.status, nodes.<node id>.error, nodes.<node id>.usage, nodes.<node id>.http_status, nodes.<node id>.headers, previous.content, item, index, vars.<name>, env.<name>, run.id, now';

/** The problem of a placeholder whose reference does not exist. `hint` starts with a semicolon. */
export function unknownReference(segments: readonly string[]): TemplateProblem {
  const nearest = nearestReference(segments);
  const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
  return {
    code: 'unknown_reference',
    message: `unknown reference${hint}; valid references are ${VALID_REFERENCES}`,
  };
}

function nearestReference([root = '', ...rest]: readonly string[]): string | undefined {
  if (!REFERENCE_PARSERS.has(root)) return nearestName(root, [...REFERENCE_PARSERS.keys(), 'true', 'false', 'null']);
  const [first = '', second = ''] = rest;
  if (root === 'nodes') return nearestName(second, NODE_MEMBERS);
  if (root === 'previous') return nearestName(first, PREVIOUS_MEMBERS);
  return root === 'run' ? nearestName(first, RUN_MEMBERS) : undefined;
}
