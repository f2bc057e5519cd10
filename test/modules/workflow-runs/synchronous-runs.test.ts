import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { preferredWait } from '../../../rest-compat/runtime/preferences.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;
let slow: number;
beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Shop' } })).body.id;
  const create = async (data: unknown) =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
  workflow = await create(pureGraph());
  slow = await create(chain(trigger(), node('delay-node', { seconds: 3_600 }), output()));
});
afterAll(() => service?.stop());

const run = (id: number, prefer?: string) =>
  service.rest('POST', `/api/v1/workflows/${id}/run/`, {
    body: { topic: 'cats' },
    ...(prefer === undefined ? {} : { headers: { Prefer: prefer } }),
  });

const runsOf = async (id: number): Promise<number> =>
  (await service.graphql('query ($id: Int!) { workflowRuns(workflowId: $id) { total } }', { id })).data.workflowRuns
    .total;

describe('a start that waits', () => {
  it('returns the end of the run over REST, and without the header its initial status', async () => {
    const waited = await run(workflow, 'respond-async, wait=30');
    expect(waited).toMatchObject({ status: 200, body: { status: 201, data: { status: 'succeed' } } });
    expect(Object.keys(waited.body.data.data)).toContain('out');
    expect((await run(slow)).body.data).toMatchObject({ status: 'in queue', data: null });
  });

  it('returns the present status of a run that takes longer', async () => {
    // A run that its process does not start itself is fetched within a second.
    expect((await run(slow, 'wait=5')).body).toMatchObject({ status: 201, data: { status: 'in progress' } });
  });

  it('takes the seconds as an argument over GraphQL, and starts nothing for more than a minute', async () => {
    const text = `mutation ($id: Int!, $seconds: Int) {
      workflowRunStart(workflowId: $id, input: { topic: "cats" }, waitSeconds: $seconds) {
        receipt { data { status output } } errors { message path }
      }
    }`;
    const { data } = await service.graphql(text, { id: workflow, seconds: 30 });
    expect(data.workflowRunStart.receipt.data).toEqual({ status: 'SUCCEEDED', output: 'about cats' });
    const count = await runsOf(workflow);
    const refused = await service.graphql(text, { id: workflow, seconds: 61 });
    expect(refused.data.workflowRunStart).toMatchObject({ receipt: null, errors: [{ path: ['waitSeconds'] }] });
    expect(await runsOf(workflow)).toBe(count);
  });
});

describe('workflowRunAndWait', () => {
  const TEXT = `mutation ($id: Int!, $input: JSON, $seconds: Int, $key: String) {
    workflowRunAndWait(workflowId: $id, input: $input, waitSeconds: $seconds, idempotencyKey: $key) {
      receipt { status data { status output } } run { id state } errors { code path ... on RunRefusedError { status } }
    }
  }`;
  const runAndWait = async (variables: Record<string, unknown>) =>
    (await service.graphql(TEXT, { input: { topic: 'cats' }, ...variables })).data.workflowRunAndWait;

  it('returns the run in its final state with its output', async () => {
    expect(await runAndWait({ id: workflow })).toMatchObject({
      receipt: { status: 201, data: { status: 'SUCCEEDED', output: 'about cats' } },
      ...{ run: { state: 'SUCCEEDED' }, errors: [] },
    });
  });

  it('returns a run that takes longer while it continues', async () => {
    const { run, errors } = await runAndWait({ id: slow, seconds: 5 });
    expect(errors).toEqual([]);
    expect(['WAITING', 'RUNNING']).toContain(run.state);
  });

  it('starts one run for a key, also after a start without a wait', async () => {
    const text = `mutation ($id: Int!, $key: String) {
      workflowRunStart(workflowId: $id, input: { topic: "cats" }, idempotencyKey: $key) { run { id } }
    }`;
    const { data } = await service.graphql(text, { id: workflow, key: 'once' });
    const { id } = data.workflowRunStart.run;
    for (let call = 0; call < 2; call++)
      expect(await runAndWait({ id: workflow, key: 'once' })).toMatchObject({ run: { id, state: 'SUCCEEDED' } });
  });

  it('refuses what a start refuses, and starts nothing for a wait of more than a minute', async () => {
    const { key } = await service.createUser('outsider');
    const { errors } = await service.graphql(TEXT, { id: workflow }, key);
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(await runAndWait({ id: workflow, input: 'cats' })).toMatchObject({ errors: [{ status: 400 }] });
    const count = await runsOf(workflow);
    expect(await runAndWait({ id: workflow, seconds: 61 })).toMatchObject({ errors: [{ path: ['waitSeconds'] }] });
    expect(await runsOf(workflow)).toBe(count);
  });
});

it.each([
  [undefined, 0],
  ['wait=10', 10],
  ['handling=strict, wait = "7"', 7],
  ['wait=100000', 60],
  ['wait=10000000000', 60],
  ['wait=soon', 0],
  ['await=5', 0],
])('reads the preference %s', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});
