import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EchoUpstream, startEchoUpstream } from '../../security/canaries/echo-upstream.js';
import { chain, http, llm, node, output, template, trigger } from '../../support/graphs.js';
import { copyFromMarketplace, createPerson, sell } from '../../support/market.js';
import { startTestService, type TestService } from '../../support/service.js';
import { serveHttp } from '../../support/upstreams/loopback-server.js';
import { awaitFinish } from './finished-run.js';

const SECRET = 'a-token-of-the-project';
let service: TestService;
let echoUpstream: EchoUpstream;
let project: number;

beforeAll(async () => {
  echoUpstream = await startEchoUpstream();
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
});
afterAll(async () => {
  await service?.stop();
  await echoUpstream?.stop();
});
beforeEach(async () => {
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Runs' } })).body.id;
});

async function create(name: string, value: string, more: object = {}): Promise<number> {
  const body = { project, name, value, ...more };
  return (await service.rest('POST', '/api/v1/project-variables/', { body })).body.id;
}

async function save(...nodes: Parameters<typeof chain>): Promise<number> {
  const data = chain(...nodes);
  return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
}

function start(workflow: number) {
  return service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
}

async function outputOf(workflow: number) {
  return (await awaitFinish(service, (await start(workflow)).body.data.id)).output;
}

const contentOfDatabase = async () =>
  JSON.stringify(
    await service.sql(
      `select (select json_agg(p) from workflow_run_payload p)::text as payloads,
              (select json_agg(j) from workflow_run_journal j)::text as journal`,
    ),
  );

describe('a project variable', () => {
  it('has the value of the time at which the run was accepted', async () => {
    const id = await create('COLOR', 'red');
    const workflow = await save(trigger(), template('{{ env.COLOR | upper }}'), output());
    expect(await outputOf(workflow)).toBe('RED');
    await service.rest('PATCH', `/api/v1/project-variables/${id}/`, { body: { value: 'blue' } });
    expect(await outputOf(workflow)).toBe('BLUE');

    const waiting = await save(
      trigger(),
      llm('a'),
      node('delay-node', { seconds: 2 }),
      template('{{ env.COLOR }}'),
      output(),
    );
    const started = await start(waiting);
    await service.rest('DELETE', `/api/v1/project-variables/${id}/`);
    expect((await awaitFinish(service, started.body.data.id)).output).toBe('blue');
  });

  it('is required by the check and by a run, unless there is a default', async () => {
    const body = chain(trigger(), template('{{ env.INSIDE }}'), output());
    const workflow = await save(
      trigger(),
      template('{{ env.MISSING }} {{ env.OPTIONAL | default: "" }}', { id: 't' }),
      node('loop-node', { items: [1], body }),
      output(),
    );
    const check = await service.rest('GET', `/api/v1/workflows/${workflow}/check_workflow/`);
    expect(check.body.is_valid).toBe(false);
    expect(check.body.issues.filter((issue: any) => issue.code === 'unknown_variable')).toHaveLength(2);
    const refused = await start(workflow);
    expect(refused.body.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('refers to the project variable MISSING');
    await create('MISSING', 'x');
    await create('INSIDE', 'y');
    expect((await service.rest('GET', `/api/v1/workflows/${workflow}/check_workflow/`)).body.is_valid).toBe(true);
    expect((await awaitFinish(service, (await start(workflow)).body.data.id)).status).toBe('succeed');
  });

  it('of another project does not exist', async () => {
    await create('OTHERS', 'x');
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Second' } })).body.id;
    expect((await start(await save(trigger(), template('{{ env.OTHERS }}'), output()))).body.status).toBe(422);
  });

  it('is missing in a copy from the marketplace, which does not contain its value', async () => {
    const [author, user] = [await createPerson(service, 'seller'), await createPerson(service, 'buyer')];
    project = author.project;
    await create('TOKEN', SECRET, { is_secret: true });
    const data = chain(
      trigger(),
      llm('a'),
      http(`${echoUpstream.origin}/x`, { headers: { 'X-Key': '{{ env.TOKEN }}' } }),
      output(),
    );
    const sold = await sell(service, author, {}, data);
    const copy = await copyFromMarketplace(service, user, sold.slug);
    expect(copy.gaps).toEqual([
      { node_id: expect.any(String), path: 'headers.X-Key', kind: 'variable', variable: 'TOKEN' },
    ]);
    project = user.project;
    await create('TOKEN', 'of the buyer');
    const gaps = async () =>
      (await service.rest('GET', `/api/v1/workflows/${copy.id}/gaps/`, { key: user.key })).body.gaps;
    expect(await gaps()).toHaveLength(1);
    const permitted = JSON.parse(JSON.stringify(copy.data).replace('<fill in> env', 'env'));
    await service.rest('PATCH', `/api/v1/workflows/${copy.id}/`, { key: user.key, body: { data: permitted } });
    expect(await gaps()).toEqual([]);
  });
});

describe('a secret project variable', () => {
  it('is sent in full and masked in everything that is stored and shown', async () => {
    await create('TOKEN', SECRET, { is_secret: true });
    const call = http(`${echoUpstream.origin}/echo`, {
      method: 'POST',
      headers: { 'X-Key': '{{ env.TOKEN }}' },
      body: '{{ env.TOKEN }}',
    });
    const workflow = await save(trigger(), call, output('{{ env.TOKEN | upper }} {{ previous.content }}'));
    const { body } = await start(workflow);
    const run = await awaitFinish(service, body.data.id);
    expect(run.status).toBe('succeed');
    expect(run.output).toContain('********');
    const shown = JSON.stringify(run).toLowerCase() + (await contentOfDatabase()).toLowerCase();
    expect(shown).not.toContain(SECRET);
    const rerun = await service.rest('POST', `/api/v1/workflows/${workflow}/run/?run_id=${body.data.id}`, { body: {} });
    expect(JSON.stringify(rerun.body)).not.toContain(SECRET);
  });

  it('is masked in a fork that reuses contents of a run, also after it has changed', async () => {
    const id = await create('TOKEN', SECRET, { is_secret: true });
    const nodes = [
      trigger(),
      template('key {{ env.TOKEN }}'),
      llm('a'),
      output('{{ nodes.t.content }} {{ env.TOKEN }}'),
    ] as const;
    nodes[1].id = 't';
    const workflow = await save(...nodes);
    const { body } = await start(workflow);
    await awaitFinish(service, body.data.id);
    await service.rest('PATCH', `/api/v1/project-variables/${id}/`, { body: { value: 'another-token' } });
    const fork =
      'mutation ($id: UUID!, $nodeId: String!) { workflowRunFork(id: $id, nodeId: $nodeId) { receipt { data { id: runId } } } }';
    const answer = await service.graphql(fork, { id: body.data.id, nodeId: nodes[2].id });
    expect(answer.errors).toBeUndefined();
    const { output: text } = await awaitFinish(service, answer.data.workflowRunFork.receipt.data.id);
    expect(text).toBe('key ******** ********');
    expect(await contentOfDatabase()).not.toContain(SECRET);
  });

  it('is not sent to another host by a redirect that keeps the body or repeats the secret', async () => {
    const server = await serveHttp((request, response) => {
      const query = request.url === '/repeats' ? `?key=${request.headers['x-key']}` : '';
      response.writeHead(307, { location: `${echoUpstream.origin}/redirected${query}` }).end();
    });
    await create('BOUND', SECRET, { is_secret: true, allowed_hosts: [new URL(server.url).host] });
    const arrived = () => echoUpstream.received.filter(text => text.includes('/redirected')).length;
    const end = async (path: string, more: Record<string, unknown>) => {
      const { body } = await start(await save(trigger(), http(`${server.url}${path}`, more), output()));
      return awaitFinish(service, body.data.id);
    };
    const headers = { 'X-Key': '{{ env.BOUND }}' };
    for (const refused of [
      await end('/keeps', { method: 'PUT', body: 'key={{ env.BOUND }}' }),
      await end('/repeats', { headers }),
    ])
      expect(JSON.stringify(refused)).toContain('the secret project variable \\"BOUND\\" may be sent to');
    expect(arrived()).toBe(0);
    // Headers are not sent to another origin.
    expect((await end('/', { headers })).status).toBe('succeed');
    expect(arrived()).toBe(1);
    await server.close();
  });

  it('is sent to its allowed hosts only, also by a sub-workflow', async () => {
    const host = new URL(echoUpstream.origin).host;
    await create('HERE', SECRET, { is_secret: true, allowed_hosts: [host] });
    await create('ELSEWHERE', `${SECRET}-2`, { is_secret: true, allowed_hosts: ['api.example.com'] });
    const call = (name: string) => http(`${echoUpstream.origin}/echo`, { headers: { 'X-Key': `{{ env.${name} }}` } });
    const here = await start(await save(trigger(), call('HERE'), output()));
    expect((await awaitFinish(service, here.body.data.id)).status).toBe('succeed');
    const elsewhere = await start(await save(trigger(), call('ELSEWHERE'), output()));
    const run = await awaitFinish(service, elsewhere.body.data.id);
    expect(JSON.stringify(run)).toContain(
      'the secret project variable \\"ELSEWHERE\\" may be sent to api.example.com only',
    );
    const child = await save(
      trigger(),
      http(`${echoUpstream.origin}/echo`, { headers: { 'X-Key': '{{ input.key }}' } }),
      output(),
    );
    const parent = await save(
      trigger(),
      node('subworkflow-node', { workflow_id: child, input: { key: '{{ env.ELSEWHERE }}' } }),
      output(),
    );
    const failed = await awaitFinish(service, (await start(parent)).body.data.id);
    expect(failed.error.message).toContain('may be sent to api.example.com only');
  });
});
