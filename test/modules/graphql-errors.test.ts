import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

const CANARY = 'canary-4711';

let service: TestService;
const post = (body: unknown, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  service.rest('POST', '/graphql', { body: typeof body === 'string' ? body : JSON.stringify(body), headers });

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
});
afterAll(() => service?.stop());

describe('a GraphQL request', () => {
  it.each([
    ['malformed JSON', '{"query":'],
    ['no object', '7'],
    ['no query', {}],
    ['a batch', [{ query: '{ projects { total } }' }]],
    ['variables that are not an object', { query: '{ projects { total } }', variables: 7 }],
    ['two operations and no name', { query: 'query A { projects { total } } query B { projects { total } }' }],
    [
      'a subscription',
      { query: 'subscription { workflowRunChanged(id: "0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10") { sequence } }' },
    ],
  ])('is bad input with %s', async (_what, body) => {
    const { status, body: answer } = await post(body);
    expect(status).toBe(400);
    expect(answer.data ?? null).toBeNull();
    expect(answer.errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT' });
    expect(answer.errors[0].message).toMatch(/.{10}/);
  });

  it.each([
    ['GRAPHQL_PARSE_FAILED', 'a syntax error', '{ projects('],
    ['GRAPHQL_VALIDATION_FAILED', 'an unknown field', '{ nonsense }'],
    ['GRAPHQL_VALIDATION_FAILED', 'an unknown argument', '{ projects(nonsense: 1) { total } }'],
    ['GRAPHQL_VALIDATION_FAILED', 'a missing argument', '{ project { id } }'],
  ])('has the code %s with %s, also over a socket', async (code, _what, query) => {
    const { status, body } = await post({ query });
    expect([status, body.data ?? null, body.errors[0].extensions]).toEqual([400, null, { code }]);
    const refused = await service
      .subscribe(query)
      .next()
      .catch(errors => errors);
    expect(refused).toMatchObject([{ message: body.errors[0].message, extensions: { code } }]);
  });

  it('is refused with 413 when its body is larger than the limit', async () => {
    const { status, body } = await post({
      query: '{ projects { total } }',
      variables: { x: 'x'.repeat(5 * 1024 * 1024) },
    });
    expect([status, body.errors[0].extensions]).toEqual([413, { code: 'PAYLOAD_TOO_LARGE' }]);
  });

  it('is refused as a form of another site', async () => {
    const { status } = await post('{"query":"{ projects { total } }"}', { 'Content-Type': 'text/plain' });
    expect(status).toBe(400);
  });
});

describe('a refused value is not repeated', () => {
  const START = 'mutation ($text: String) { workflowRunStart(workflowId: 1, inputText: $text) { receipt { status } } }';
  const CREATE = 'mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { workflow { id } } }';

  it.each([
    ['of another type', START, { text: { key: CANARY } }, 'Variable "$text" got invalid value.'],
    [
      'that is not an integer',
      'query ($id: Int!) { project(id: $id) { id } }',
      { id: CANARY },
      'Variable "$id" got invalid value.',
    ],
    [
      'together with an unknown member',
      CREATE,
      { input: { projectId: 1, title: CANARY, data: { key: CANARY }, nonsense: CANARY } },
      'Variable "$input" got invalid value. Field "nonsense" is not defined by type "WorkflowCreateInput".',
    ],
    [
      'together with a missing member',
      CREATE,
      { input: { title: CANARY, data: {} } },
      'Variable "$input" got invalid value. Field "projectId" of required type "Int!" was not provided.',
    ],
  ])('in a variable: %s', async (_what, query, variables, message) => {
    const { body } = await post({ query, variables });
    expect(body.errors[0].message).toBe(message);
    expect(JSON.stringify(body)).not.toContain(CANARY);
  });

  it.each([
    ['{ project(id: "CANARY") { id } }', 'Int cannot represent non-integer value.'],
    ['{ projects(filter: "CANARY") { total } }', 'Expected value of type "ProjectFilter", found another.'],
    ['{ workflowRun(id: "CANARY") { id } }', 'Value is not a valid UUID.'],
    [
      'mutation { workflowRunStart(workflowId: 1, inputText: {key: "CANARY"}) { receipt { status } } }',
      'String cannot represent a non string value.',
    ],
    ['{ projects "CANARY" }', 'Syntax Error: Expected Name, found String.'],
  ])('in a literal: %s', async (query, message) => {
    const { body } = await post({ query: query.replace('CANARY', CANARY) });
    expect(body.errors[0].message).toBe(message);
    expect(JSON.stringify(body)).not.toContain(CANARY);
  });
});
