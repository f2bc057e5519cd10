import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Client } from 'graphql-ws';
import { routes } from '../../rest-compat/generated/routes.js';
import { RIGHTS } from '../../src/modules/projects/rights.js';
import { startTestService, type TestService } from '../support/service.js';
import { type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';
import { type AccessCase, graphqlCase, restCase, SOCKET_CALLERS } from './sweep/access-cases.js';
import { CALLERS, type Caller, createCallers, nameOf, OTHER_CREDENTIALS, type SweepCallers } from './sweep/callers.js';
import { createFixtures, type Fixture, missingFixture } from './sweep/fixtures/fixtures.js';
import { GRAPHQL_ROWS } from './sweep/graphql-rows.js';
import { type Answer, askGraphQL, askRest, askSocket, fieldOf, openSocket, operationOf } from './sweep/requests.js';
import { REST_ROWS } from './sweep/rest-rows.js';
import { rightsPage } from './sweep/rights-page.js';
import type { RestRow, Row } from './sweep/rows.js';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
/**
 * `npm run test:security` asks each row as every caller. `npm test` asks it as each person, alternately by key and by
 * session, without credentials, and with two of the credentials that stand for no user, which fail before the row matters.
 */
const OTHER_CREDENTIALS_STEP = process.env.SECURITY === 'all' ? 1 : 5;
const MEANS_STEP = process.env.SECURITY === 'all' ? 1 : 2;
const callersOf = (rowIndex: number) =>
  CALLERS.filter((caller, index) => {
    // CALLERS has each person twice in succession, by key and by session. At step 2 exactly one of the two is asked, and which
    // one alternates from person to person and from row to row.
    if ('person' in caller) return (rowIndex + index + Math.floor(index / 2)) % MEANS_STEP === 0;
    return caller.credentials === 'anonymous' || (rowIndex + index) % OTHER_CREDENTIALS_STEP === 0;
  });
const rest = REST_ROWS.map((row, rowIndex) => {
  const route = routes.find(({ method, path }) => `${method} ${path}` === row.route);
  const cases = callersOf(rowIndex).map(caller => restCase(row, caller, route?.auth ?? 'API_KEY'));
  return { row, route, cases, isChange: route?.method !== 'GET' };
});
/** The same resolvers answer over a socket: `npm test` asks every fourth of them there, `npm run test:security` all. */
const SOCKET_STEP = process.env.SECURITY === 'all' ? 1 : 4;
const graphql = GRAPHQL_ROWS.map((row, index) => {
  const { kind } = fieldOf(schema, row.field);
  const isLive = kind === 'subscription';
  return {
    row,
    isChange: kind === 'mutation',
    cases: isLive ? [] : callersOf(index).map(caller => graphqlCase(row, caller)),
    socketCases: isLive || index % SOCKET_STEP === 0 ? SOCKET_CALLERS.map(caller => graphqlCase(row, caller)) : [],
  };
});

/** Simultaneous requests; the login throttle accepts fewer than ten of one email. */
const AT_ONCE = 8;

let service: TestService;
let mcp: McpTestServer;
let callers: SweepCallers;
let sockets: Map<string, Client>;
/** Receives every request that must change nothing. */
let common: Fixture;
/** The ids of a fixture that does not exist. */
let missing: Fixture;
/** The rows of `common` before the first request. */
let before: string;
/** Fixtures that are left for requests that change something. */
const fixtures: Fixture[] = [];
/** Number of requests that were sent. */
let asked = 0;

beforeAll(async () => {
  [service, mcp] = await Promise.all([startTestService({ role: 'api' }), startMcpServer()]);
  callers = await createCallers(service);
  const changing = [...rest, ...graphql].filter(({ isChange }) => isChange);
  const permitted = changing.flatMap(
    each => [...each.cases, ...('socketCases' in each ? each.socketCases : [])] as AccessCase<Row>[],
  );
  fixtures.push(
    ...(await createFixtures(service, callers, mcp.url, permitted.filter(({ isPermitted }) => isPermitted).length + 1)),
  );
  common = fixtures.pop()!;
  missing = missingFixture(common);
  sockets = new Map(SOCKET_CALLERS.map(caller => [nameOf(caller), openSocket(service, headersOf(caller))]));
  before = await contentOf(common);
});
afterAll(async () => {
  await Promise.all([...(sockets?.values() ?? [])].map(client => client.dispose()));
  await service?.stop();
  await mcp?.stop();
});

function headersOf(caller: Caller): Record<string, string> {
  return callers.headers[nameOf(caller)]!;
}

/** The fixture of a case: requests that change nothing share one. */
function fixtureOf({ isPermitted }: AccessCase<Row>, isChange: boolean): Fixture {
  return isPermitted && isChange ? fixtures.pop()! : common;
}

/** All rows of a fixture in the database. */
async function contentOf({ project, recognition, category }: Fixture): Promise<string> {
  const [row] = await service.sql(
    `select json_build_array(
       (select json_agg(t) from project t where id = $1),
       (select json_agg(t order by id) from project_member t where project_id = $1),
       (select json_agg(t order by id) from project_invitation t where project_id = $1),
       (select json_agg(t order by id) from workflow t where project_id = $1),
       (select json_agg(t order by id) from workflow_revision t where project_id = $1),
       (select json_agg(t order by id) from workflow_run t where project_id = $1),
       (select json_agg(t order by id) from workflow_run_approval t where project_id = $1),
       (select json_agg(t order by id) from variable t where project_id = $1),
       (select json_agg(t order by id) from prompt t where project_id = $1),
       (select json_agg(t order by id) from message t where project_id = $1),
       (select json_agg(t order by id) from scenario t where project_id = $1),
       (select json_agg(t order by id) from scenario_run t where project_id = $1),
       (select json_agg(t order by id) from document t where project_id = $1),
       (select json_agg(t order by id) from recognition_run t where project_id = $1),
       (select json_agg(t order by id) from recognition_chunk t where run_id = $2),
       (select json_agg(t order by id) from keyword_run t where project_id = $1),
       (select json_agg(t order by id) from keyword t where project_id = $1),
       (select json_agg(t order by id) from webhook_delivery t where project_id = $1),
       (select json_agg(t order by id) from webhook_secret t where project_id = $1),
       (select json_agg(t order by id) from provider_key t where project_id = $1),
       (select json_agg(t order by id) from project_variable t where project_id = $1),
       (select json_agg(t order by id) from project_environment t where project_id = $1),
       (select json_agg(t order by id) from connection t where project_id = $1),
       (select json_agg(t order by id) from api_definition t where project_id = $1),
       (select json_agg(t) from category t where id = $3),
       (select json_agg(t order by id) from subcategory t where category_id = $3),
       (select json_agg(t order by t.user_id) from workflow_bookmark t join workflow w on w.id = t.workflow_id where w.project_id = $1),
       (select json_agg(t order by id) from audit_entry t where project_id = $1))::text as content`,
    [project, recognition, category],
  );
  return row?.content;
}

/** Sends every case and compares all responses with the expected ones at once, so that a failure shows a table. */
async function compare<R extends Row>(
  cases: AccessCase<R>[],
  ok: (accessCase: AccessCase<R>) => string,
  ask: (accessCase: AccessCase<R>) => Promise<Answer>,
) {
  const waiting = [...cases.entries()];
  const answers: string[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      asked++;
      answers[next[0]] = (await ask(next[1])).shown;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const table = (shown: (accessCase: AccessCase<R>, index: number) => string | undefined) =>
    Object.fromEntries(cases.map((accessCase, index) => [nameOf(accessCase.caller), shown(accessCase, index)]));
  expect(table((_case, index) => answers[index])).toEqual(table(each => (each.isPermitted ? ok(each) : each.expected)));
}

/** The status of a success. */
function statusOf({ status, administrators }: RestRow, caller: Caller, declared: number | undefined): string {
  const isAdministrator = 'person' in caller && caller.person === 'administrator';
  const success = (isAdministrator ? administrators : undefined) ?? status ?? declared;
  return success === 409 ? '409 conflict' : String(success);
}

/**
 * An outsider gets byte for byte the same answer for an existing object as for one that does not exist; so do
 * administrators for the latter.
 */
async function expectSame(row: Row, ask: (who: string, fixture: Fixture) => Promise<Answer>) {
  const byKey = await ask('outsider by key', common);
  expect(await ask('outsider by key', missing)).toEqual(byKey);
  const bySession = await ask('outsider by session', common);
  expect(await ask('outsider by session', missing)).toEqual(bySession);
  asked += 2;
  if (typeof row.rule === 'string' || row.outlives) return;
  asked++;
  expect(await ask('administrator by session', missing)).toEqual(bySession);
}

describe('every caller of a REST route gets the expected response', () => {
  it.each(rest.map(each => [each.row.route, each] as const))('%s', async (_route, { row, route, cases, isChange }) => {
    await compare(
      cases,
      accessCase => statusOf(row, accessCase.caller, route?.status),
      accessCase => askRest(service, row, fixtureOf(accessCase, isChange), headersOf(accessCase.caller)),
    );
  });
});

describe('every caller of a GraphQL field gets the expected response', () => {
  const overHttp = graphql.filter(({ cases }) => cases.length > 0);
  it.each(overHttp.map(each => [each.row.field, each] as const))('%s', async (_field, { row, cases, isChange }) => {
    await compare(
      cases,
      () => row.success ?? 'ok',
      accessCase =>
        askGraphQL(
          service,
          operationOf(schema, row, fixtureOf(accessCase, isChange)),
          headersOf(accessCase.caller),
          row,
        ),
    );
  });
});

describe('every caller of a GraphQL field gets the same answer over a socket', () => {
  const overSockets = graphql.filter(({ socketCases }) => socketCases.length > 0);
  it.each(overSockets.map(each => [each.row.field, each] as const))(
    '%s',
    async (_field, { row, socketCases, isChange }) => {
      // A required file cannot be sent over a socket: the request is invalid.
      const isInvalid = row.uploads === 'file';
      await compare(
        isInvalid ? socketCases.map(each => ({ ...each, expected: 'BAD_USER_INPUT' })) : socketCases,
        () => (row.uploads ? 'BAD_USER_INPUT' : (row.success ?? 'ok')),
        accessCase =>
          askSocket(sockets.get(nameOf(accessCase.caller))!, operationOf(schema, row, fixtureOf(accessCase, isChange))),
      );
    },
  );

  it.each(OTHER_CREDENTIALS)('a socket of %s is closed before it executes an operation', async credentials => {
    const client = openSocket(service, callers.headers[credentials]!);
    asked++;
    expect((await askSocket(client, { query: '{ me { id } }', variables: {} })).shown).toBe('closed with 4403');
    await client.dispose();
  });
});

describe('an outsider gets the same answer for existing objects and for those that do not exist', () => {
  const restObjects = REST_ROWS.filter(row => row.namesObject);
  it.each(restObjects.map(row => [row.route, row] as const))('%s', async (_route, row) => {
    await expectSame(row, (who, fixture) => askRest(service, row, fixture, callers.headers[who]!));
  });

  const fields = GRAPHQL_ROWS.filter(row => row.namesObject);
  it.each(fields.map(row => [row.field, row] as const))('%s', async (_field, row) => {
    const isLive = fieldOf(schema, row.field).kind === 'subscription';
    await expectSame(row, (who, fixture) => {
      const operation = operationOf(schema, row, fixture);
      if (isLive) return askSocket(sockets.get(who)!, operation);
      return askGraphQL(service, operation, callers.headers[who]!, row);
    });
  });
});

it('changes nothing for callers whom it refuses', async () => {
  expect(await contentOf(common)).toBe(before);
});

it('has a row for every route', () => {
  expect(REST_ROWS.map(row => row.route).toSorted()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

it('has a row for every field of the query, mutation and subscription types', () => {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = types.flatMap(type => Object.keys(type!.getFields()));
  expect(GRAPHQL_ROWS.map(row => row.field).toSorted()).toEqual(fields.toSorted());
});

it('tries every right that a role has', () => {
  const tried = [...REST_ROWS, ...GRAPHQL_ROWS].flatMap(({ rule }) => (typeof rule === 'object' ? [rule.action] : []));
  expect([...new Set(tried)].toSorted()).toEqual(Object.keys(RIGHTS).toSorted());
});

it('sends at least 2,500 requests', () => {
  expect(asked).toBeGreaterThanOrEqual(2_500);
});

it('is what docs/rights.md shows', () => {
  expect(readFileSync('docs/rights.md', 'utf8')).toBe(rightsPage());
});
