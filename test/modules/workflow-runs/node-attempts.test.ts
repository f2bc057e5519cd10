import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, type GraphData, http, llm, output, template, trigger } from '../../support/graphs.js';
import { createWorkflow } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const NODES = `{ status startedAt endedAt waitedMs contentType error { code message }
  attempts { number startedAt endedAt error { code message } } }`;
const TIME = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let upstream: StubUpstream;
let service: TestService;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

async function start(data: GraphData): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${await createWorkflow(service, { ...data })}/run/`);
  return body.data.id;
}

async function nodesOf(id: string): Promise<any[]> {
  const { data } = await service.graphql(`query ($id: UUID!) { workflowRun(id: $id) { nodes ${NODES} } }`, { id });
  return data.workflowRun.nodes;
}

it('a repeated node has one entry per attempt, with its error', async () => {
  const broken = http('http://127.0.0.1:1/', { on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } });
  const id = await start(chain(trigger(), broken));
  await awaitFinish(service, id);
  const [, failed] = await nodesOf(id);
  const error = { code: expect.any(String), message: expect.any(String) };
  expect(failed).toMatchObject({ status: 'FAILED', contentType: null, error, startedAt: TIME, endedAt: TIME });
  expect(failed.attempts).toEqual([
    { number: 1, startedAt: failed.startedAt, endedAt: TIME, error },
    { number: 2, startedAt: TIME, endedAt: failed.endedAt, error },
  ]);
});

it('a node in progress has started and not ended, in the run and in the live view', async () => {
  const held = upstream.hold();
  const id = await start(chain(trigger(), llm('hello', 'gpt-4o-mini'), output()));
  await held.arrived;
  const [, asking] = await nodesOf(id);
  expect(asking).toMatchObject({ status: 'RUNNING', startedAt: TIME, endedAt: null, contentType: null });
  expect(asking.attempts).toEqual([{ number: 1, startedAt: asking.startedAt, endedAt: null, error: null }]);
  const query = `subscription ($id: UUID!) { workflowRunChanged(id: $id) { kind node ${NODES} nodes ${NODES} } }`;
  const changes = service.subscribe(query, { id });
  const { value: snapshot } = await changes.next();
  expect(snapshot.data.workflowRunChanged.nodes[1]).toEqual(asking);
  held.release();
  const succeeded = [];
  for await (const { data } of changes)
    if (data.workflowRunChanged.kind === 'NODE_SUCCEEDED') succeeded.push(data.workflowRunChanged.node);
  expect(await nodesOf(id)).toEqual([expect.anything(), ...succeeded]);
});

it('the content type distinguishes JSON from text', async () => {
  const id = await start(chain(trigger(), template('{"a": [1]}'), template('[open')));
  await awaitFinish(service, id);
  const types = (await nodesOf(id)).map(each => each.contentType);
  expect(types.slice(0, 3)).toEqual(['application/json', 'application/json', 'text/plain']);
});

it('a run whose events are deleted has nodes without attempts', async () => {
  const id = await start(chain(trigger(), llm('hello', 'gpt-4o-mini'), output()));
  await awaitFinish(service, id);
  await service.sql('delete from workflow_run_journal where run_id = $1', [id]);
  for (const each of await nodesOf(id)) expect(each).toMatchObject({ attempts: [], startedAt: null, endedAt: null });
});
