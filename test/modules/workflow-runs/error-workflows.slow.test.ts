import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, http, node, output } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';

describe('the error workflow of a failed run', () => {
  let service: TestService;
  let project: number;
  /** A server that never answers. */
  let silent: LoopbackServer;
  const [requested, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

  beforeAll(async () => {
    silent = await serveHttp((_request, response) => {
      requested.resolve();
      response.once('close', aborted.resolve);
    });
    service = await startTestService();
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Errors' } })).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await silent.close();
  });

  async function save(data: unknown): Promise<number> {
    const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    return body.id;
  }
  const failing = (error_workflow_id?: number) =>
    chain(
      node('trigger-node', { input_fields: [], error_workflow_id }),
      { ...http('http://127.0.0.1:9/'), id: 'call' },
      output('never'),
    );
  const begin = async (workflow: number): Promise<string> =>
    (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { input_data: {} } })).body.data.id;
  const runsOf = (workflow: number) =>
    service.sql(
      'select id, state, input from workflow_run r join workflow_run_payload p on p.run_id = r.id where workflow_id = $1',
      [workflow],
    );
  const awaitEnd = (workflow: number) =>
    eventually(
      () => runsOf(workflow),
      rows => rows.length > 0 && rows.every(({ state }) => state === 'failed' || state === 'succeeded'),
    );
  const jobsLeft = async () =>
    (
      await service.sql(
        "select 1 from pgboss.job where name = 'workflow-error-handler' and state in ('created', 'active', 'retry')",
      )
    ).length;
  const idle = () => eventually(jobsLeft, count => count === 0);

  it('is started once, with the run, the node and the error as its input', async () => {
    const handler = await save(chain(node('trigger-node'), output('{{ input.error.code }} in {{ input.node_id }}')));
    const id = await begin(await save(failing(handler)));
    const [run, ...others] = await awaitEnd(handler);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      state: 'succeeded',
      input: { run_id: id, node_id: 'call', error: { code: 'connection_failed' } },
    });
    // A repeated job, as after the death of a worker, starts no second run.
    await idle();
    await service.sql(
      "update pgboss.job set state = 'created', completed_on = null where name = 'workflow-error-handler'",
    );
    await idle();
    expect(await runsOf(handler)).toHaveLength(1);
  });

  it('starts no other workflow when it fails itself', async () => {
    const last = await save(chain(node('trigger-node'), output('last')));
    const handler = await save(failing(last));
    await begin(await save(failing(handler)));
    expect(await awaitEnd(handler)).toMatchObject([{ state: 'failed' }]);
    await idle();
    expect(await runsOf(last)).toEqual([]);
  });

  it.each([
    ['waits', () => node('delay-node', { seconds: 3_600 }), 'waiting'],
    ['calls a server', () => http(`${silent.url}/`), 'running'],
  ])('is not started for a run that is cancelled while it %s', async (_, nodeOf, state) => {
    const handler = await save(chain(node('trigger-node'), output('x')));
    const start = node('trigger-node', { error_workflow_id: handler });
    const workflow = await save(chain(start, nodeOf(), output('never')));
    const id = await begin(workflow);
    await eventually(
      () => runsOf(workflow),
      ([run]) => run?.state === state,
    );
    if (state === 'running') await requested.promise;
    const cancelled = await service.rest('POST', `/api/v1/workflows/${workflow}/history/${id}/cancel/`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'Cancelled']);
    if (state === 'running') await aborted.promise;
    await idle();
    expect(await runsOf(handler)).toEqual([]);
  });

  it('is not started for a sub-run, whose parent fails instead', async () => {
    const handler = await save(chain(node('trigger-node'), output('x')));
    const ofParent = await save(chain(node('trigger-node'), output('x')));
    const child = await save(failing(handler));
    const calling = { ...node('subworkflow-node', { workflow_id: child }), id: 'sub' };
    const parent = await begin(
      await save(chain(node('trigger-node', { error_workflow_id: ofParent }), calling, output('never'))),
    );
    const error = { code: 'subworkflow_failed' };
    expect(await awaitEnd(ofParent)).toMatchObject([{ input: { run_id: parent, node_id: 'sub', error } }]);
    expect(await runsOf(child)).toMatchObject([{ state: 'failed' }]);
    await idle();
    expect(await runsOf(handler)).toEqual([]);
  });

  it('is also started for a run that ends without external calls', async () => {
    const handler = await save(chain(node('trigger-node'), output('x')));
    const broken = await save(
      chain(node('trigger-node', { error_workflow_id: handler }, 'start'), output('{{ nodes.start.json.no.such }}')),
    );
    await begin(broken);
    expect(await awaitEnd(handler)).toMatchObject([{ state: 'succeeded' }]);
  });
});
