import { describe, expect, it } from '@jest/globals';
import type { DatabaseRequest } from '../../../src/engine/database/port.js';
import { parseDatabaseUrl } from '../../../src/engine/database/url.js';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { run, trigger, workflow } from '../samples.js';

const t = trigger('t');
const connection = 'postgres://ada:s3cret@db.example.com/shop';

async function runNode(data: JsonObject, input: JsonObject = {}) {
  const requests: DatabaseRequest[] = [];
  const databases = {
    query: async (request: DatabaseRequest) => {
      requests.push(request);
      return { rows: [{ id: 7 }], rowCount: 1, columns: ['id'], isTruncated: false };
    },
  };
  const node = { id: 'n', type: 'database-node', data: { connection, query: 'select 1', ...data } };
  const events = await run(workflow([t, node], ['t>n']), { ports: fakePorts({ databases }), input });
  const end = events.find(event => 'node' in event && event.node === 'n' && event.type !== 'node.started');
  return { end, requests };
}

describe('the address of a database', () => {
  it.each([
    ['postgres://u:p@h/d', { host: 'h', port: 5432, user: 'u', password: 'p', database: 'd', tls: 'verify-full' }],
    [
      'postgresql://u@H:1/d?sslmode=disable',
      { host: 'h', port: 1, user: 'u', password: '', database: 'd', tls: 'disable' },
    ],
    [
      'postgres://a%40b:%2F%3a@[::1]/x%20y?sslmode=require',
      { host: '::1', user: 'a@b', password: '/:', database: 'x y' },
    ],
  ])('is read from %s', (text, parts) => {
    expect(parseDatabaseUrl(text)).toMatchObject(parts);
  });

  it.each([
    '',
    'http://u:p@h/d',
    'postgres://h/d',
    'postgres://u:p@h',
    'postgres://u:p@/d',
    'postgres://u:p@%2Fvar%2Frun/d',
    'postgres://u:p@h/d?host=10.0.0.1',
    'postgres://u:p@h/d?sslmode=disable&sslmode=require',
    'postgres://u:p@h/d?sslmode=allow',
    'postgres://u:%zz@h/d',
    'postgres://u:%00@h/d',
    'postgres://u:p@h/d#x',
    'postgres://u:p@h:0/d',
  ])('is refused: %s', text => {
    expect(parseDatabaseUrl(text)).toBeUndefined();
  });
});

describe('a database node', () => {
  it('sends the statement unchanged, with parameters as texts', async () => {
    const query = "select '{{ input.id }}', $1";
    const parameters = ['{{ input.id }}', 'x', null, true, { a: [1] }];
    const { end, requests } = await runNode({ query, parameters }, { id: 7 });
    expect(end).toMatchObject({
      type: 'node.succeeded',
      content: '{"rows":[{"id":7}],"row_count":1,"columns":["id"],"truncated":false}',
    });
    expect(requests).toEqual([
      {
        ...{ connection, query, parameters: ['7', 'x', null, 'true', '{"a":[1]}'] },
        ...{ isReadOnly: true, maxRows: 100, timeoutMs: 29_500 },
      },
    ]);
  });

  it('passes its limits on', async () => {
    const { requests } = await runNode({ read_only: false, max_rows: 5, timeout_seconds: 2 });
    expect(requests[0]).toMatchObject({ isReadOnly: false, maxRows: 5, timeoutMs: 1800 });
  });

  it('refuses a connection that is not a URL of PostgreSQL, without its text', async () => {
    const { end } = await runNode({ connection: '{{ input.url }}' }, { url: 'http://s3cret@x/' });
    expect(end).toMatchObject({ type: 'node.failed', error: { code: 'invalid_settings' } });
    expect(JSON.stringify(end)).not.toContain('s3cret');
  });

  it('refuses a parameter with NUL', async () => {
    const { end } = await runNode({ parameters: ['{{ input.a }}'] }, { a: 'a\0b' });
    expect(end).toMatchObject({ type: 'node.failed', error: { code: 'invalid_parameter' } });
  });

  it.each<[JsonObject, string]>([
    [{ connection: 'mysql://u:p@h/d' }, 'connection'],
    [{ query: '' }, 'query'],
    [{ max_rows: 1001 }, 'max_rows'],
    [{ timeout_seconds: 301 }, 'timeout_seconds'],
    [{ parameters: 'x' }, 'parameters'],
  ])('checks %j before the run', (data, path) => {
    const node = { id: 'n', type: 'database-node', data: { connection, query: 'select 1', ...data } };
    const { issues } = checkWorkflow(workflow([t, node], ['t>n']), { servesModel: () => true });
    expect(issues.filter(({ severity }) => severity === 'error').map(issue => issue.path)).toEqual([path]);
  });
});
