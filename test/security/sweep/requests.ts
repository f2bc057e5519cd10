import { type GraphQLField, type GraphQLSchema, getNamedType, isLeafType, isObjectType } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { routes } from '../../../rest-compat/generated/routes.js';
import { declarationFault } from '../../rest/declared-answers.js';
import { formOf } from '../../support/forms.js';
import type { TestService } from '../../support/service.js';
import type { Fixture } from './fixtures/fixtures.js';
import type { GraphQLRow, RestRow } from './rows.js';

export interface Answer {
  /** The outcome that the tests compare: `ok` (for REST the status), or the error. */
  shown: string;
  /** The whole answer without the parts that always differ. */
  whole: unknown;
}

type Headers = Record<string, string>;

/** Headers that differ in every answer, such as the request id and the rate limit counters of a key. */
const VARYING_HEADERS = /^(date|x-request-id|ratelimit|x-ratelimit-(remaining|reset))$/;

async function send(service: TestService, method: string, path: string, headers: Headers, body: unknown) {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...headers, ...(isJson ? { 'Content-Type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  });
  const text = await response.text();
  const kept = [...response.headers].filter(([name]) => !VARYING_HEADERS.test(name));
  const parsed = text === '' ? null : JSON.parse(text);
  return { status: response.status, parsed, whole: { status: response.status, headers: kept, text } };
}

export async function askRest(service: TestService, row: RestRow, fixture: Fixture, headers: Headers): Promise<Answer> {
  const [method = '', template = ''] = row.route.split(' ');
  const bare = template.replaceAll(/\{\+?(\w+)\}/g, (_all, name: string) => String(row.path[name]!(fixture)));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(row.query?.(fixture) ?? {})) query.set(name, String(value));
  const path = query.size > 0 ? `${bare}?${query}` : bare;
  // A session sends the input of a run inside `input_data`, a key sends it as the body. The routes without an id, which run
  // a graph or a scenario, take the same body from both.
  const isWrapped = /\/(re-)?run\/$/.test(bare) && row.path.id !== undefined && 'Authorization' in headers;
  const given = row.body?.(fixture);
  const body = isWrapped ? { input_data: given } : given;
  const sent = { ...credentialsFor(method, template, headers), ...row.headers?.(fixture) };
  const { status, parsed, whole } = await send(service, method, path, sent, body);
  const fault = declarationFault(method, path, { status, body: parsed });
  // Anthropic's errors have a type and no code.
  const errorCode = parsed?.error?.code ?? parsed?.error?.type ?? parsed?.code;
  const code = status >= 400 && typeof errorCode === 'string' ? ` ${errorCode}` : '';
  return { shown: `${status}${code}${fault === null ? '' : ` (${fault})`}`, whole };
}

/** The headers with the credentials. Routes of the chat format take a key as bearer token. */
function credentialsFor(method: string, path: string, headers: Headers): Headers {
  const { 'X-Api-Key': key, ...others } = headers;
  const route = routes.find(one => one.method === method && one.path === path);
  return route?.auth === 'BEARER' && key !== undefined ? { ...others, Authorization: `Bearer ${key}` } : headers;
}

export interface Operation {
  query: string;
  variables: Record<string, unknown>;
}

/** An operation with the field of the row. The argument for files is empty; over HTTP, `formWith` fills it. */
export function operationOf(schema: GraphQLSchema, row: GraphQLRow, fixture: Fixture): Operation {
  const { kind, field } = fieldOf(schema, row.field);
  const variables = row.uploads
    ? { ...row.args(fixture), [row.uploads]: row.uploads === 'files' ? [] : null }
    : row.args(fixture);
  const given = field.args.filter(arg => arg.name in variables);
  const declared = given.map(arg => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = given.map(arg => `${arg.name}: $${arg.name}`).join(', ');
  const named = getNamedType(field.type);
  // Only the payloads of mutations have `warnings`, and all of them have `errors`.
  const isPayload = isObjectType(named) && named.getFields().warnings !== undefined;
  const leaves = isPayload ? '__typename errors { code }' : '__typename';
  const selection = isLeafType(named) ? '' : ` { ${leaves} }`;
  const query = `${kind}${declared && ` (${declared})`} { ${row.field}${passed && `(${passed})`}${selection} }`;
  return { query, variables };
}

export type OperationKind = 'query' | 'mutation' | 'subscription';

export function fieldOf(schema: GraphQLSchema, name: string): { kind: OperationKind; field: GraphQLField<any, any> } {
  const types = { query: schema.getQueryType(), mutation: schema.getMutationType() } as const;
  for (const kind of ['query', 'mutation'] as const) {
    const field = types[kind]?.getFields()[name];
    if (field) return { kind, field };
  }
  return { kind: 'subscription', field: schema.getSubscriptionType()!.getFields()[name]! };
}

export async function askGraphQL(
  service: TestService,
  operation: Operation,
  headers: Headers,
  { uploads }: GraphQLRow,
): Promise<Answer> {
  const { parsed, whole } = uploads
    ? await send(service, 'POST', '/graphql', { ...headers, ...PREFLIGHT }, formWith(operation, uploads))
    : await send(service, 'POST', '/graphql', headers, operation);
  return { shown: shownOf(parsed), whole };
}

const PREFLIGHT = { 'Apollo-Require-Preflight': 'true' };

function formWith({ query, variables }: Operation, uploads: 'file' | 'files'): FormData {
  const isList = uploads === 'files';
  const operations = JSON.stringify({ query, variables: { ...variables, [uploads]: isList ? [null] : null } });
  const map = JSON.stringify({ file: [`variables.${uploads}${isList ? '.0' : ''}`] });
  return formOf({ operations, map }, { file: ['new.txt', 'dogs'] });
}

export function openSocket(service: TestService, headers: Headers): Client {
  return createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headers,
    retryAttempts: 0,
    // Stays open between the operations. A caller whose connection is refused gets the error for each operation.
    lazy: false,
    onNonLazyError: () => {},
  });
}

/** The first message of the socket. */
export async function askSocket(client: Client, operation: Operation): Promise<Answer> {
  try {
    for await (const answer of client.iterate(operation)) return { shown: shownOf(answer), whole: answer };
    return { shown: 'nothing came', whole: null };
  } catch (error) {
    if (Array.isArray(error)) return { shown: shownOf({ errors: error }), whole: error };
    return { shown: `closed with ${(error as { code?: number }).code}`, whole: null };
  }
}

function shownOf({ data, errors }: { data?: any; errors?: readonly any[] }): string {
  if (errors) return errors.map(error => String(error.extensions?.code)).join(', ');
  const refusals: any[] = Object.values(data ?? {}).flatMap((value: any) => value?.errors ?? []);
  if (refusals.length > 0) return [...new Set(refusals.map(({ code }) => code))].join(', ');
  return data ? 'ok' : 'nothing';
}
