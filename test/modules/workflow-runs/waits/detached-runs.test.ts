import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.js';
import { chain, graph, node, output, trigger } from '../../../support/graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';

describe('a detached run', () => {
  let service: TestService;
  let project: number;

  beforeAll(async () => {
    service = await startTestService();
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Detached' } })).body.id;
  });
  afterAll(() => service.stop());

  const save = async (data: unknown) =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id as number;
  const waiting = (event: string) => node('wait-node', { event });
  const failing = () => node('http-node', { url: 'http://127.0.0.1:9/' });
  const delayed = () => node('delay-node', { seconds: 3_600 });
  /** trigger → nodes → output `done`. A wait continues when it has received its event. */
  const sequence = (...nodes: ReturnType<typeof node>[]) => {
    const { nodes: all, edges } = chain(trigger(), ...nodes, output('done'));
    const isWait = (id: string) => nodes.some(each => each.id === id && each.type === 'wait-node');
    return graph(
      all,
      edges.map(each => (isWait(each.source) ? { ...each, sourceHandle: 'received' } : each)),
    );
  };
  const runOf = async (workflow: number) =>
    (await service.sql('select id, state, parent_run_id from workflow_run where workflow_id = $1', [workflow]))[0];
  const awaitState = (workflow: number, wanted: string) =>
    eventually(
      () => runOf(workflow),
      run => run?.state === wanted,
    );
  const cancel = async (workflow: number) => {
    const { id } = (await awaitState(workflow, 'waiting'))!;
    expect((await service.rest('POST', `/api/v1/workflows/${workflow}/history/${id}/cancel/`)).status).toBe(200);
  };
  const send = (name: string) =>
    service.rest('POST', `/api/v1/projects/${project}/workflow-events/`, { body: { name } });

  /** Starts a run whose first node starts a detached run. Returns the ids of both workflows. */
  async function startBoth(parentNode: ReturnType<typeof node>, childNode: ReturnType<typeof node>) {
    const child = await save(sequence(childNode));
    const parent = await save(sequence(node('subworkflow-node', { workflow_id: child, detached: true }), parentNode));
    await service.rest('POST', `/api/v1/workflows/${parent}/run/`, { body: {} });
    return { parent, child };
  }

  it.each([
    ['fails', failing, 'failed'],
    ['is cancelled', delayed, 'cancelled'],
  ])('continues when the run that started it %s', async (_, nodeOf, end) => {
    const { parent, child } = await startBoth(nodeOf(), waiting(`child after ${end}`));
    if (end === 'cancelled') await cancel(parent);
    await awaitState(parent, end);
    expect(await awaitState(child, 'waiting')).toMatchObject({ parent_run_id: null });
    await send(`child after ${end}`);
    await awaitState(child, 'succeeded');
  });

  it.each([
    ['fails', failing, 'failed'],
    ['is cancelled', delayed, 'cancelled'],
  ])('has no effect on the run that started it when it %s', async (_, nodeOf, end) => {
    const { parent, child } = await startBoth(waiting(`parent after ${end}`), nodeOf());
    if (end === 'cancelled') await cancel(child);
    await awaitState(child, end);
    await awaitState(parent, 'waiting');
    await send(`parent after ${end}`);
    await awaitState(parent, 'succeeded');
  });
});
