import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, type GraphData, llm, node, output, trigger } from '../../support/graphs.js';
import { copyFromMarketplace, createPerson, type Person, sell } from '../../support/market.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type McpTestServer, startMcpServer } from '../../support/upstreams/mcp-server.js';

let service: TestService;
let author: Person;
let user: Person;

beforeAll(async () => {
  service = await startTestService();
  author = await createPerson(service, 'author');
  user = await createPerson(service, 'user');
});
afterAll(() => service?.stop());

const rest = (method: string, path: string, body?: unknown) =>
  service.rest(method, `/api/v1${path}`, { key: user.key, ...(body === undefined ? {} : { body }) });

it('a copied search node needs a selection, and the copy lists what it needs', async () => {
  const data = chain(
    trigger(),
    llm('a'),
    node('search-node', { query: 'salary' }, 'all'),
    output('{{ previous.content }}'),
  );
  data.nodes.push(
    node('http-node', { url: 'https://u:secret@collect.example:8443/in?x={{ previous.content }}' }, 'out'),
    node('http-node', { url: 'https://{{ input.where }}/in' }, 'anywhere'),
  );
  const sold = await sell(service, author, {}, data);
  const made = await copyFromMarketplace(service, user, sold.slug);
  const refused = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(refused.body).toMatchObject({ status: 422, data: { status: 'failed' } });
  const [fault] = refused.body.data.data.all.result;
  expect(Object.keys(fault)).toEqual(['document_ids']);
  const { status, body } = await rest('GET', `/workflows/${made.id}/gaps/`);
  expect(status).toBe(200);
  expect(body.gaps).toContainEqual({ node_id: 'all', path: 'document_ids', kind: 'document' });
  expect(body.reach.map(({ kind, value }: Record<string, string>) => [kind, value])).toEqual([
    ['model', 'echo'],
    ['host', 'collect.example:8443'],
    ['host', '{{ input.where }}'],
  ]);
  const [entry] = await service.sql(
    `select project_id, detail from audit_entry where action = 'workflow.copy-from-marketplace' and object_id = $1`,
    [String(made.id)],
  );
  expect(entry).toMatchObject({
    project_id: user.project,
    detail: { hosts: ['collect.example:8443', '{{ input.where }}'], models: ['echo'], tools: [] },
  });
  expect(entry!.detail.gaps).toContainEqual({ nodeId: 'all', path: 'document_ids', kind: 'document' });

  made.data.nodes.find((each: { id: string }) => each.id === 'all').data.document_ids = [];
  await rest('PATCH', `/workflows/${made.id}/`, { data: made.data });
  const started = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(started.body.status).toBe(201);
  expect((await awaitFinish(service, started.body.data.id, user.key)).status).toBe('succeed');
});

it('a copy that needs nothing runs at once', async () => {
  const sold = await sell(service, author, { market_title: 'Simple' }, chain(trigger(), llm('a'), output('x')));
  const made = await copyFromMarketplace(service, user, sold.slug);
  expect(made.gaps).toEqual([]);
  const started = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(started.body.status).toBe(201);
});

it('a copy keeps no id of the project of the author, and shows what it reaches', async () => {
  const make = async (path: string, body: object) => {
    const options = { key: author.key, body: { project: author.project, ...body } };
    const answer = await service.rest('POST', `/api/v1/${path}/`, options);
    expect(answer.status).toBe(201);
    return answer.body.id as number;
  };
  const settings = { base_url: 'https://api.example.com' };
  const connection = await make('connections', { name: 'C', kind: 'bearer', secret: 'of-the-author-4711', settings });
  const terms = { category: 1, run_fee: 0, free_runs_per_user: 0 };
  const scenario = await make('scenarios', { name: 'S', messages: [], ...terms });
  const [{ id: person } = { id: 0 }] = await service.sql('select id from app_user where email = $1', [author.email]);
  const mcp = { kind: 'mcp', endpoint_url: 'https://mcp.example/all', connection_id: connection };
  const data = chain(trigger(), output('x'));
  data.nodes.push(
    node('http-node', { url: 'https://api.example.com/orders', connection_id: connection }, 'call'),
    node('scenario-node', { scenario_id: scenario }, 'scenario'),
    node('key-value-node', { key: 'orders' }, 'store'),
    node('approval-node', { title: 'Pay?', deciders: 'users', user_ids: [person] }, 'approval'),
    node('mcp-node', { endpoint_url: 'https://mcp.example/one', tool: 'send_mail' }, 'mcp'),
    node(
      'agent-node',
      {
        messages: [{ role: 'user', message: 'a' }],
        settings: { model_name: 'echo' },
        tools: [mcp, { ...mcp, allowed_tools: ['read', 'write'], connection_id: undefined }],
      },
      'agent',
    ),
  );
  const sold = await sell(service, author, { market_title: 'References' }, data);
  const made = await copyFromMarketplace(service, user, sold.slug);
  const ofNode = (id: string) => made.data.nodes.find((each: { id: string }) => each.id === id).data;
  const FILL_IN = '<fill in>';
  expect(ofNode('call').connection_id).toBe(FILL_IN);
  expect(ofNode('scenario').scenario_id).toBe(FILL_IN);
  expect(ofNode('store').key).toBe(FILL_IN);
  expect(ofNode('approval').user_ids).toBe(FILL_IN);
  expect(ofNode('agent').tools[0].connection_id).toBe(FILL_IN);

  const gaps = [
    { nodeId: 'call', path: 'connection_id', kind: 'connection' },
    { nodeId: 'scenario', path: 'scenario_id', kind: 'scenario' },
    { nodeId: 'store', path: 'key', kind: 'credential' },
    { nodeId: 'approval', path: 'user_ids', kind: 'user' },
    { nodeId: 'agent', path: 'tools.0.connection_id', kind: 'connection' },
  ];
  const answer = await service.graphql(
    'query ($id: Int!) { workflow(id: $id) { reach { nodeId path kind value } gaps { nodeId path kind } } }',
    { id: made.id },
    user.key,
  );
  expect(answer.data.workflow).toEqual({
    gaps: gaps.map(gap => ({ ...gap, kind: gap.kind.toUpperCase() })),
    reach: [
      { nodeId: 'call', path: 'url', kind: 'HOST', value: 'api.example.com' },
      { nodeId: 'mcp', path: 'endpoint_url', kind: 'HOST', value: 'mcp.example' },
      { nodeId: 'mcp', path: 'tool', kind: 'TOOL', value: 'send_mail' },
      { nodeId: 'agent', path: 'settings.model_name', kind: 'MODEL', value: 'echo' },
      { nodeId: 'agent', path: 'tools.0.endpoint_url', kind: 'HOST', value: 'mcp.example' },
      { nodeId: 'agent', path: 'tools.0.allowed_tools', kind: 'TOOL', value: '*' },
      { nodeId: 'agent', path: 'tools.1.endpoint_url', kind: 'HOST', value: 'mcp.example' },
      { nodeId: 'agent', path: 'tools.1.allowed_tools', kind: 'TOOL', value: 'read' },
      { nodeId: 'agent', path: 'tools.1.allowed_tools', kind: 'TOOL', value: 'write' },
    ],
  });
  const log = await service.graphql(
    `query ($p: Int!) { auditLog(projectId: $p, filter: { action: "workflow.copy-from-marketplace" }) {
       items { objectId detail } } }`,
    { p: user.project },
    user.key,
  );
  const entry = log.data.auditLog.items.find(({ objectId }: { objectId: string }) => objectId === String(made.id));
  expect(entry.detail).toEqual({
    marketWorkflowId: sold.workflow,
    gaps,
    hosts: ['api.example.com', 'mcp.example'],
    models: ['echo'],
    tools: ['send_mail', '*', 'read', 'write'],
  });
});

describe('a copy of a workflow that uses project variables and events', () => {
  const SECRET = 'users-own-canary-4711';
  const received: string[] = [];
  let server: McpTestServer;
  let copy: { id: number; data: GraphData };

  beforeAll(async () => {
    server = await startMcpServer({
      intercept: (request, response) => {
        received.push(String(request.headers['x-note']));
        if (request.url !== '/in') return false;
        response.end('received');
        return true;
      },
    });
    const variable = (person: Person, value: string) => {
      const options = { key: person.key, body: { project: person.project, name: 'CRM_KEY', value, is_secret: true } };
      return service.rest('POST', '/api/v1/project-variables/', options);
    };
    await variable(author, 'authors-own-canary');
    await variable(user, SECRET);
    const headers = { 'X-Note': '{{ env.CRM_KEY }}' };
    const data = chain(
      trigger(),
      node('http-node', { url: `${server.origin}/in`, headers }, 'call'),
      node('send-event-node', { event: 'order-paid' }, 'send'),
      node('wait-node', { event: 'order-paid' }, 'wait'),
      output('x'),
    );
    data.nodes.push(node('mcp-node', { endpoint_url: server.url, tool: 'echo', headers }, 'mcp'));
    const sold = await sell(service, author, { market_title: 'Variables' }, data);
    copy = await copyFromMarketplace(service, user, sold.slug);
  });
  afterAll(() => server?.stop());

  it('lists them as gaps and does not run before they are set', async () => {
    const { body } = await rest('GET', `/workflows/${copy.id}/gaps/`);
    expect(body.gaps).toEqual([
      { node_id: 'call', path: 'headers.X-Note', kind: 'variable', variable: 'CRM_KEY' },
      { node_id: 'send', path: 'event', kind: 'credential' },
      { node_id: 'wait', path: 'event', kind: 'credential' },
      { node_id: 'mcp', path: 'headers.X-Note', kind: 'variable', variable: 'CRM_KEY' },
    ]);
    const [entry] = await service.sql(
      `select detail from audit_entry where action = 'workflow.copy-from-marketplace' and object_id = $1`,
      [String(copy.id)],
    );
    expect(entry!.detail.gaps).toContainEqual({ nodeId: 'wait', path: 'event', kind: 'credential' });
    const refused = await rest('POST', `/workflows/${copy.id}/run/`, {});
    expect(refused.body).toMatchObject({ status: 422, data: { status: 'failed' } });
    const fields = Object.values<any>(refused.body.data.data).map(({ result }) => result.flatMap(Object.keys));
    expect(fields).toEqual([['headers.X-Note'], ['event'], ['event']]);
  });

  it('sends a variable only after the user has set it', async () => {
    const text = JSON.stringify(copy.data)
      .replace('{{ <fill in> env.CRM_KEY }}', '{{ env.CRM_KEY }}')
      .replaceAll('"<fill in>"', '"my-order"');
    expect((await rest('PATCH', `/workflows/${copy.id}/`, { data: JSON.parse(text) })).status).toBe(200);
    expect(received).not.toContain(SECRET);
    const started = await rest('POST', `/workflows/${copy.id}/run/`, {});
    expect((await awaitFinish(service, started.body.data.id, user.key)).status).toBe('succeed');
    expect(received.filter(value => value === SECRET)).toEqual([SECRET]);
    const { body } = await rest('GET', `/workflows/${copy.id}/gaps/`);
    expect(body.gaps).toEqual([{ node_id: 'mcp', path: 'headers.X-Note', kind: 'variable', variable: 'CRM_KEY' }]);
  });
});
