import fc from 'fast-check';
import { arbitraryValue, brokenText, CONTENT_TYPES, RawJson } from './arbitrary-values.js';
import { declaredValue, graphValue, pathSlot } from './declared-values.js';
import { ACTORS, type Actor, type FuzzTarget, Slot } from './fuzz-target.js';
import type { SentRequest } from './http-client.js';
import type { JsonSchema, RestOperation } from './rest-operations.js';

export type Caller = Actor | 'service';

/** A request whose slots are not resolved yet. */
export interface RestCase {
  caller: Caller;
  /** A path segment as it is sent, or an id. */
  path: Record<string, Slot | string>;
  query: [name: string, value: unknown][];
  /** Appended to the query unencoded. */
  oddQuery: string;
  body: Members | string | undefined;
  headers: Record<string, string>;
}

type Members = { name: string; value: unknown }[];

const SERVICE_TOKEN = { Authorization: 'Bearer a-service-token-for-tests-32-characters-or-more' };

const oddSegment = fc.oneof(
  fc.constantFrom('%zz', '%', '%00', '%ff', '%c0%80', '%2F', '..', '%2e%2e', '-1', '0', '1e3', '2147483648', '9e999'),
  arbitraryValue.map(value => segment(typeof value === 'string' ? value : asText(value))),
);
const oddQuery = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  fc.constantFrom('%', '%zz=1', '%00=%00', '&&&', '=', 'a=b=c', 'x[]=1&x[]=2', '__proto__[a]=1', '__proto__=1', '+'),
);

/** Requests of one operation: some as declared, most with one fault, some with many. */
export function restCase(operation: RestOperation): fc.Arbitrary<RestCase> {
  return fc.oneof(
    { weight: 3, arbitrary: caseOf(operation, { arbitraryShare: 0, broken: 0 }) },
    { weight: 6, arbitrary: caseOf(operation, { arbitraryShare: 1, broken: 0 }) },
    { weight: 2, arbitrary: caseOf(operation, { arbitraryShare: 6, broken: 1 }) },
  );
}

/** Requests as declared, from the owner. */
export function declaredCase(operation: RestOperation): fc.Arbitrary<RestCase> {
  return caseOf(operation, { arbitraryShare: 0, broken: 0 }).map(one => ({
    ...one,
    caller: operation.auth === 'service' ? 'service' : 'owner',
    query: one.query.filter(([, value]) => !(value instanceof Slot && value.state !== 'live')),
    headers: {},
  }));
}

/** `arbitraryShare`: number of arbitrary values in 12. `broken`: number of malformed bodies in 4. */
function caseOf(operation: RestOperation, odds: { arbitraryShare: number; broken: number }): fc.Arbitrary<RestCase> {
  const { parameters, route, method, auth } = operation;
  const orArbitrary = (value: fc.Arbitrary<unknown>) =>
    fc.oneof(
      { weight: 12 - odds.arbitraryShare, arbitrary: value },
      { weight: odds.arbitraryShare, arbitrary: arbitraryValue },
    );
  const path = Object.fromEntries(
    parameters
      .filter(parameter => parameter.in === 'path')
      .map(({ name }) => [
        name,
        fc.oneof(
          { weight: 12 - odds.arbitraryShare, arbitrary: pathSlot(route, name, method) },
          { weight: odds.arbitraryShare, arbitrary: oddSegment },
        ),
      ]),
  );
  const query = parameters.filter(parameter => parameter.in === 'query');
  const members = bodyMembers(operation.bodySchema).map(({ name, schema, isRequired }) =>
    fc.record({
      name: fc.constant(name),
      isSent: isRequired ? fc.nat(odds.arbitraryShare > 0 ? 8 : 100).map(one => one > 0) : fc.boolean(),
      value: orArbitrary(declaredValue(name, schema, route.includes('/workflows/') && auth !== 'service')),
    }),
  );
  const extra = fc.constantFrom('', '', '', 'id', '__proto__', 'constructor', 'is_admin', 'user_id');
  return fc.record({
    caller: callerOf(auth),
    path: fc.record(path) as fc.Arbitrary<RestCase['path']>,
    query: fc
      .tuple(
        ...query.map(({ name, schema, required }) =>
          fc.tuple(
            fc.constant(name),
            orArbitrary(declaredValue(name, schema, false)),
            required ? fc.nat(9) : fc.nat(2),
          ),
        ),
      )
      .map(all => all.filter(([, , isSent]) => isSent > 0).map(([name, value]): [string, unknown] => [name, value])),
    oddQuery: odds.arbitraryShare > 0 ? oddQuery : fc.constant(''),
    body: bodyOf(
      operation,
      fc.tuple(fc.tuple(...members), extra).map(([all, more]) => sentMembers(all, more)),
      odds.broken,
    ),
    headers: odds.arbitraryShare > 0 ? oddHeaders : fc.constant({}),
  });
}

function bodyOf(
  { bodySchema, takesRunInput, method }: RestOperation,
  members: fc.Arbitrary<Members>,
  broken: number,
): fc.Arbitrary<RestCase['body']> {
  if (takesRunInput) {
    const input = fc.oneof(fc.constantFrom({ topic: 'cats' }, { input_data: { topic: 'cats' } }, {}), arbitraryValue);
    return fc.oneof(
      { weight: 6, arbitrary: input.map(value => jsonText(value)) },
      { weight: 1 + broken, arbitrary: brokenText },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  }
  if (!bodySchema) return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, brokenText);
  const isGraph = bodySchema.anyOf !== undefined;
  return fc.oneof(
    { weight: 4 - broken, arbitrary: members },
    ...(isGraph ? [{ weight: 4 - broken, arbitrary: graphValue.map(value => jsonText(value)) }] : []),
    { weight: broken, arbitrary: brokenText },
    ...(method === 'PATCH' ? [] : [{ weight: broken, arbitrary: fc.constant(undefined) }]),
  );
}

function bodyMembers(schema: JsonSchema | undefined) {
  const own = (schema?.anyOf ?? (schema ? [schema] : [])).find(({ properties }) => properties);
  return Object.entries(own?.properties ?? {}).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: own?.required?.includes(name) ?? false,
  }));
}

function sentMembers(members: readonly { name: string; isSent: boolean; value: unknown }[], extra: string): Members {
  const chosen: Members = members.filter(({ isSent }) => isSent).map(({ name, value }) => ({ name, value }));
  return extra === '' ? chosen : [...chosen, { name: extra, value: 1 }];
}

function callerOf(auth: RestOperation['auth']): fc.Arbitrary<Caller> {
  const usual: Caller = auth === 'service' ? 'service' : 'owner';
  return fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 7, arbitrary: fc.constantFrom(...ACTORS) });
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 16, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.constantFrom(...CONTENT_TYPES).map(type => ({ 'Content-Type': type })) },
  fc.constantFrom<Record<string, string>>(
    { Accept: 'text/html' },
    { Accept: 'application/json;q=0' },
    { Accept: ',,;;q=x' },
    { 'Content-Encoding': 'gzip' },
    { 'Content-Encoding': 'nonsense' },
    { 'Idempotency-Key': 'one' },
    { 'Idempotency-Key': 'two' },
    { 'Idempotency-Key': '\u00e9' },
    { 'Idempotency-Key': 'x'.repeat(256) },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { Cookie: 'a=b', Origin: 'https://evil.example' },
    { 'X-Request-Id': 'x'.repeat(5_000) },
    { Authorization: 'Bearer ' },
    { Authorization: 'Basic YTpi' },
  ),
);

/** The request as it is sent. */
export async function requestOf(operation: RestOperation, one: RestCase, target: FuzzTarget): Promise<SentRequest> {
  let path = operation.route;
  for (const [name, value] of Object.entries(one.path)) {
    path = path.replace(`{${name}}`, () => (value instanceof Slot ? `{${name}}` : value));
    if (value instanceof Slot) path = path.replace(`{${name}}`, String(await target.idOf(value)));
  }
  const query: string[] = [];
  for (const [name, value] of one.query) {
    const text = value instanceof Slot ? String(await target.idOf(value)) : asText(value);
    query.push(`${name}=${encodeURIComponent(text.toWellFormed())}`);
  }
  if (one.oddQuery !== '') query.push(one.oddQuery);
  const body = Array.isArray(one.body) ? await membersText(one.body, target) : one.body;
  return {
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      ...(one.caller === 'service' ? SERVICE_TOKEN : target.credentials[one.caller]),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...one.headers,
    },
    body,
  };
}

async function membersText(members: Members, target: FuzzTarget): Promise<string> {
  const texts: string[] = [];
  for (const { name, value } of members) {
    const text = value instanceof Slot ? JSON.stringify(await target.idOf(value)) : jsonText(value);
    texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

/** Like JSON.stringify, with raw texts inside. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
  return `{${members.join(',')}}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2_000) : jsonText(value).slice(0, 2_000);
}

/** Never empty, because that would be another path. */
function segment(text: string): string {
  return encodeURIComponent(text.slice(0, 500).toWellFormed()) || '%20';
}
