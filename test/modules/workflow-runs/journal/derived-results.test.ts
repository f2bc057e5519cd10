import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.js';
import { chain, edge, field, graph, http, llm, output, trigger } from '../../../support/graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { serveHttp } from '../../../support/upstreams/loopback-server.js';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Derived' } })).body.id;
});
afterAll(() => service?.stop());

async function start(data: unknown): Promise<string> {
  const body = { project, title: 'derived', data };
  const workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  return (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'tea' } })).body.data.id;
}

/** Starts a run that a worker executes, and returns its id after its end. */
async function runToEnd(data: unknown): Promise<string> {
  const id = await start(data);
  await eventually(
    () => service.sql('select run_finished_at as at from workflow_run where id = $1', [id]),
    ([row]) => row?.at !== null,
  );
  return id;
}

const read = async (id: string) =>
  (await service.graphql(`{ workflowRun(id: "${id}") { state result } }`, {})).data.workflowRun;
const search = async (text: string) =>
  (
    await service.graphql('query ($filter: WorkflowRunFilter) { workflowRuns(filter: $filter) { items { id } } }', {
      filter: { projectId: project, text },
    })
  ).data.workflowRuns.items.map((run: { id: string }) => run.id);
const storedResult = async (id: string) =>
  (await service.sql('select result from workflow_run_payload where run_id = $1', [id]))[0]?.result;

it('the result of a run that a worker has ended is read from its journal, and found by its output', async () => {
  const ask = llm('green {{ input.topic }}');
  const id = await runToEnd(chain(trigger(field('topic')), ask, output('{{ previous.content }}, "hot"')));
  expect(await storedResult(id)).toBeNull();
  expect(await read(id)).toMatchObject({ state: 'SUCCEEDED', result: { output: 'green tea, "hot"' } });
  const { body } = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`);
  expect(body.data).toMatchObject({ status: 'succeed', output: 'green tea, "hot"' });
  expect(body.data.data[ask.id]).toMatchObject({ id: ask.id, status: 'succeed', result: { content: 'green tea' } });
  expect(await search('TEA, "HOT"')).toEqual([id]);
  // The words of events are no part of a result.
  expect(await search('run.succeeded')).toEqual([]);
});

it('the error of a failed run is read from its journal, and found', async () => {
  const [start, call] = [trigger(field('topic')), http('http://127.0.0.1:9/')];
  const id = await runToEnd(graph([start, call], [edge(start, call)]));
  expect(await storedResult(id)).toBeNull();
  const { state, result } = await read(id);
  expect([state, result.error]).toEqual(['FAILED', { code: expect.any(String), message: expect.any(String) }]);
  expect(await search(result.error.message)).toEqual([id]);
});

it('a run that has not ended has no result', async () => {
  const receiver = await serveHttp(() => {});
  try {
    const data = chain(trigger(field('topic')), llm('x'), http(receiver.url), output('y'));
    const id = await start(data);
    await eventually(
      () => service.sql('select sequence from workflow_run where id = $1', [id]),
      ([row]) => (row?.sequence as number) >= 5,
    );
    expect(await read(id)).toEqual({ state: 'RUNNING', result: null });
  } finally {
    await receiver.close();
  }
});
