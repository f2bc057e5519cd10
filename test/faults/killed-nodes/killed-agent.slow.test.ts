import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { chain, edge, graph, http, node, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';

/**
 * Workers that die while a node executes in steps: recorded steps and iterations are not repeated, and each is billed
 * once.
 */
describe('a worker that dies during an agent and a loop', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let workflow: number;
  const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });

  const agentNode = () => {
    const tool = {
      kind: 'http',
      name: 'note',
      description: 'Notes a word.',
      parameters: { type: 'object', properties: { word: { type: 'string' } } },
      request: { method: 'POST', url: `${upstream.origin}/note`, body: '{{ args.word }}' },
    };
    return node('agent-node', {
      messages: [{ role: 'user', message: 'Go.' }],
      settings: { model_name: MODEL },
      tools: [tool],
    });
  };

  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(({ messages }) =>
      messages.some(({ role }: { role: string }) => role === 'tool')
        ? { content: 'noted' }
        : {
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'note', arguments: '{"word":"tea"}' } }],
          },
    );
    service = await startTestService({ role: 'api', openai: openai() }, await createDatabase());
    const [fetch, end] = [http(`${upstream.origin}/round/{{ input.item }}`), output()];
    const loop = node('loop-node', { items: ['a', 'b'], body: graph([fetch, end], [edge(fetch, end)]) });
    const project = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Kills' } });
    const data = chain(trigger(), agentNode(), loop, output());
    workflow = (
      await service.rest('POST', '/api/v1/workflows/', { body: { project: project.body.id, title: 'K', data } })
    ).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  // Records 2 to 7, in order: the model call, the tool call, the second model call, the items of the loop, each iteration.
  const points = [2, 3, 4, 5, 6, 7].map(nth => `record.after:${nth}`);

  it.each(faultPoints([...points, 'record.before:3']))('leaves its run to the next worker (%s)', async point => {
    upstream.requests.length = 0;
    upstream.calls.length = 0;
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    expect(body).toMatchObject({ status: 201 });
    const id = body.data.id;
    const environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const successor = await startTestService({ role: 'worker', openai: openai() }, service.database);
    const read = async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
    const result = await eventually(read, ({ status }) => ['succeed', 'failed'].includes(status));
    await successor.stop();

    expect(result.status).toBe('succeed');
    expect(JSON.parse(result.output)).toHaveLength(2);
    // Only a call that was answered but not yet recorded may be repeated.
    const isRepeatable = point.startsWith('record.before');
    const asked = [
      upstream.requests.length,
      ...['/note', '/round/a', '/round/b'].map(at => upstream.calls.filter(call => call.path === at).length),
    ];
    expect(asked.reduce((sum, times) => sum + times, 0)).toBe(isRepeatable ? 6 : 5);
    expect(asked.every(times => times >= 1)).toBe(true);
    const rows = await service.sql(
      'select operation, iteration, usage::text as usage from billing_transaction where run_id = $1 order by 1, 2',
      [id],
    );
    expect(rows.map(row => [row.operation, row.iteration])).toEqual([
      ['agent-node', ''],
      ['http-node', '0'],
      ['http-node', '1'],
      ['loop-node', ''],
      ['output-node', ''],
      ['output-node', '0'],
      ['output-node', '1'],
      ['trigger-node', ''],
    ]);
    expect(JSON.parse(rows[0]?.usage ?? '[]')).toHaveLength(2);
    const [total] = await service.sql(
      `select r.cost_usd = (select sum(amount_usd) from billing_transaction where run_id = r.id) as cost,
                p.total_spent_usd = (select sum(amount_usd) from billing_transaction b where b.project_id = p.id) as spent
           from workflow_run r join project p on p.id = r.project_id where r.id = $1`,
      [id],
    );
    expect(total).toEqual({ cost: true, spent: true });
  });
});
