import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { chain, node, output, trigger } from '../support/graphs.js';
import { createWorkflow } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type ChatUpstream, completion, json, startChatUpstream } from '../support/upstreams/chat-upstream.js';

/** trigger → code → output. */
function codeGraph(code: string, timeoutSeconds: number) {
  const script = node('code-node', { code, timeout_seconds: timeoutSeconds }, 'code');
  return chain(trigger(), script, output('{{ previous.content }}'));
}

async function start(service: TestService, workflow: number): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  return body.data.id;
}

function awaitEnd(service: TestService, run: string) {
  return eventually(
    () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`),
    // A busy machine may refuse a request with 503.
    ({ body }) => ['succeed', 'failed'].includes(body.data?.status),
    { withinMs: 120_000 },
  );
}

const NODES = 'query ($id: UUID!) { workflowRun(id: $id) { result nodes { id: nodeId status waitedMs } } }';

describe('endless scripts of one project', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ codeMaxSeconds: 4 });
  });
  afterAll(() => service.stop());

  it('delay no script of another project, and end at the time limit', async () => {
    const endless = await createWorkflow(service, codeGraph('while (true) {}', 3_600));
    const quick = await createWorkflow(service, codeGraph('return 6 * 7', 5));
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(new RegExp(`^${name}\\{kind="script"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    // As many as fill every thread that one project may use, and two more.
    const count = Math.max(2, availableParallelism()) + 2;
    const held = await Promise.all(Array.from({ length: count }, () => start(service, endless)));
    await eventually(
      () => metric('scenarium_slots_waiting'),
      waiting => waiting === 2,
    );
    expect(await metric('scenarium_slot_oldest_wait_seconds')).toBeGreaterThan(0);
    for (let round = 0; round < 3; round++) {
      const { body } = await awaitEnd(service, await start(service, quick));
      expect([body.data.status, body.data.output]).toEqual(['succeed', '42']);
    }
    // The first ones end at the time limit; the queued ones waited as long, and do not fail for that.
    const codes = await Promise.all(
      held.map(async run => {
        const { body } = await awaitEnd(service, run);
        return body.data.error.code;
      }),
    );
    expect(new Set(codes)).toEqual(new Set(['code_timeout']));
    const runs = await Promise.all(held.map(id => service.graphql(NODES, { id })));
    const waits = runs.map(
      ({ data }) => data.workflowRun.nodes.find((node: { id: string }) => node.id === 'code').waitedMs,
    );
    expect(waits.filter(waited => waited > 1_000).length).toBeGreaterThanOrEqual(2);
    // The waiting time is a field of the node. It adds no member to the result.
    expect(Object.keys(runs[0]!.data.workflowRun.result).sort()).toEqual(['data', 'error', 'output']);
  }, 300_000);
});

describe('a provider that does not answer one project', () => {
  let service: TestService;
  let upstream: ChatUpstream;
  beforeAll(async () => {
    upstream = await startChatUpstream();
    // Runs of one project may use three of four slots. Calls of one project to the chat proxy may use 12 of 16 slots (three
    // quarters), and two more (an eighth) may wait. Further calls are refused.
    const openai = { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-0123456789abcdef' };
    service = await startTestService({ openai, providerConcurrency: 4, maxRequestsInFlight: 16 });
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  /** trigger → model → output. */
  function modelGraph(message: string, timeoutSeconds: number) {
    const messages = [{ role: 'user', message }];
    const settings = { model_name: 'gpt-4o-mini' };
    const call = node('basic-node', { messages, settings, timeout_seconds: timeoutSeconds }, 'llm');
    return chain(trigger(), call, output('{{ previous.content }}'));
  }

  it('answers other projects immediately, and no call fails because of its waiting time', async () => {
    let silent = 0;
    upstream.respondWith((response, asked) => {
      // The first three are never answered.
      if (asked.text.includes('silence') && silent++ < 3) return;
      json(completion())(response, asked);
    });
    const crowd = await createWorkflow(service, modelGraph('silence', 4));
    const one = await createWorkflow(service, modelGraph('hello', 60));
    const held: string[] = [];
    for (let run = 0; run < 8; run++) held.push(await start(service, crowd));
    await eventually(
      async () => silent,
      count => count === 3,
    );
    const { body } = await awaitEnd(service, await start(service, one));
    expect([body.data.status, body.data.output]).toEqual(['succeed', 'Hi.']);
    const ends = await Promise.all(held.map(async run => (await awaitEnd(service, run)).body.data));
    // Calls without an answer fail by their time limit; those that waited as long for a slot do not.
    expect(ends.filter(end => end.status === 'failed').map(end => end.error.code)).toEqual([
      'timeout',
      'timeout',
      'timeout',
    ]);
    const waits = await Promise.all(
      held.map(async id => {
        const { data } = await service.graphql(NODES, { id });
        return data.workflowRun.nodes.find((node: { id: string }) => node.id === 'llm').waitedMs;
      }),
    );
    expect(waits.filter(waited => waited > 1_000).length).toBe(5);
  }, 300_000);

  it('leaves completions of the chat proxy to other callers, and refuses one caller that has too many', async () => {
    const projects = await Promise.all(
      ['crowd', 'one'].map(async name => (await service.rest('POST', '/api/v1/projects/', { body: { name } })).body.id),
    );
    const waiting: { end(): void }[] = [];
    upstream.respondWith((response, asked) => {
      if (asked.text.includes('silence')) waiting.push({ end: () => json(completion())(response, asked) });
      else json(completion())(response, asked);
    });
    const complete = (content: string, project: number) =>
      service.rest('POST', '/v1/chat/completions', {
        body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content }] },
        key: null,
        headers: { Authorization: `Bearer ${service.key}`, 'X-Project-Id': String(project) },
      });
    const crowd = Array.from({ length: 14 }, () => complete('silence', projects[0]));
    await eventually(
      async () => waiting.length,
      count => count === 12,
    );
    const refused = await complete('silence', projects[0]);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await complete('hello', projects[1])).status).toBe(200);
    const answerAll = async () => {
      for (const one of waiting.splice(0)) one.end();
    };
    await answerAll();
    await eventually(
      async () => waiting.length,
      count => count === 2,
    );
    await answerAll();
    for (const { status } of await Promise.all(crowd)) expect(status).toBe(200);
  }, 120_000);
});
