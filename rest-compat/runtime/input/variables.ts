import type { IncomingHttpHeaders } from 'node:http';
import { RestFault } from '../errors.js';
import type { Operation } from '../operation.js';
import { Faults, type UnknownName } from './faults.js';
import { type Input, namesOf, sentName } from './inputs.js';
import { parseText, readQuery } from './query-text.js';
import { MAX_INTEGER, readValue, requiredMessage } from './read-value.js';

export interface RequestInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the path parameters. An invalid one is reported as 404 before the body is read. @throws RestFault NOT_FOUND. */
export function readPath(inputs: readonly Input[], path: RequestInput['path']): Record<string, unknown> {
  const faults = new Faults();
  const values: Record<string, unknown> = {};
  for (const input of inputs) {
    if (input.location !== 'path') continue;
    values[input.name] = readValue(
      input.type,
      parseText(input.type, path[input.name] ?? ''),
      input.name,
      input,
      faults,
    );
  }
  try {
    faults.throwIfAny();
  } catch {
    throw new RestFault('NOT_FOUND');
  }
  return values;
}

/**
 * Reads the variables from query, headers and body. A variable that is not in the request and has no default is absent, which
 * differs from null.
 * `unknown` lists ignored members and parameters.
 * @throws RestFault with all faults.
 */
export function readVariables(
  { inputs, unusedMembers }: Pick<Operation, 'inputs' | 'unusedMembers'>,
  sent: Omit<RequestInput, 'path'>,
): { values: Record<string, unknown>; unknown: readonly UnknownName[] } {
  const faults = new Faults();
  checkQueryNames(inputs, sent.query, faults);
  if (!inputs.some(({ location }) => location === 'whole'))
    faults.checkNames(Object.keys(sent.body), [...namesAt('body', inputs), ...unusedMembers]);
  const values: Record<string, unknown> = {};
  const query = readQuery(inputs, sent.query);
  const body: MemberSource = { has: name => Object.hasOwn(sent.body, name), get: name => sent.body[name] };
  for (const input of inputs) {
    if (input.location === 'path' || input.location === 'derived') continue;
    if (input.header !== null) readHeader(input, input.header, sent.headers, { values, faults });
    else readMember(input, input.location === 'query' ? query : body, { values, faults });
  }
  faults.throwIfAny();
  return { values, unknown: faults.unknown };
}

type MemberSource = Pick<ReadonlyMap<string, unknown>, 'has' | 'get'>;

interface InputValues {
  /** The values of the variables by name. */
  readonly values: Record<string, unknown>;
  readonly faults: Faults;
}

function readHeader(
  input: Input,
  header: string,
  headers: RequestInput['headers'],
  { values, faults }: InputValues,
): void {
  const text = headers[header.toLowerCase()];
  if (text !== undefined && text !== '')
    values[input.name] = readValue(input.type, parseText(input.type, unquote(String(text))), header, input, faults);
  else if (input.isRequired) faults.add(header, requiredMessage);
}

/** Reads a query parameter or a member of the body. */
function readMember(input: Input, members: MemberSource, { values, faults }: InputValues): void {
  const at = sentName(input, name => members.has(name));
  if (at === undefined) {
    if (input.isRequired) faults.add(input.name, requiredMessage);
    else if (input.fallback !== undefined) values[input.name] = input.fallback;
    return;
  }
  const value = members.get(at);
  if (input.orBoolean) readIdOrBoolean(input, input.orBoolean, value, { values, faults });
  else values[input.name] = input.location === 'whole' ? value : readValue(input.type, value, at, input, faults);
  if (input.isNegated && typeof values[input.name] === 'boolean') values[input.name] = !values[input.name];
}

/** A query parameter that every route takes: unknown names are then faults. */
const STRICT = 'strict';

function checkQueryNames(inputs: readonly Input[], query: string, faults: Faults): void {
  if (query === '') return;
  const names = [...new URLSearchParams(query).keys()].filter(name => name !== STRICT);
  faults.checkNames(names, namesAt('query', inputs));
}

function namesAt(location: Input['location'], inputs: readonly Input[]): string[] {
  return inputs.filter(input => input.location === location && input.header === null).flatMap(namesOf);
}

/** Reads a parameter with `@orBoolean`: `true` and `false` set the boolean variable, a number from 0 sets the variable itself. */
function readIdOrBoolean(
  { name }: Input,
  { variable, fault }: NonNullable<Input['orBoolean']>,
  value: unknown,
  { values, faults }: InputValues,
): void {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') values[variable] = text === 'true';
  else if (typeof value === 'number' && value >= 0 && value <= MAX_INTEGER) values[name] = value;
  else faults.add(name, fault);
}

/** Entity tags, for example those of `If-Match`, are in quotes. */
function unquote(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
