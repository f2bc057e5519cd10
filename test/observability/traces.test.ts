import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createWorkflow, externalCallsGraph, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/upstreams/trace-collector.js';

const MODEL = 'gpt-4o-mini';
const TRACE = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const ANOTHER_TRACE = '0123456789abcdef0123456789abcdef';
const CALLER = '1234567890abcdef';

describe('a run that one process accepts and another executes', () => {
  let upstream: StubUpstream;
  let collector: TraceCollector;
  let api: TestService;
  let worker: ServiceProcess;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    collector = await startTraceCollector();
    const database = await createDatabase();
    const openai = { baseUrl: upstream.url, apiKey: 'sk-upstream-0123456789' };
    const traces = { endpoint: collector.endpoint, share: 1 };
    api = await startTestService({ role: 'api', openai, traces }, database);
    worker = await startProcess({
      ...testEnvironment(database),
      ROLE: 'worker',
      OPENAI_BASE_URL: upstream.url,
      OPENAI_API_KEY: openai.apiKey,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
  });
  afterAll(async () => {
    await collector?.stop();
    await upstream?.stop();
  });

  /** Runs the workflow to its end. Returns the run's id. */
  async function run(workflow: number, headers: Record<string, string>): Promise<string> {
    const started = await api.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' }, headers });
    const { id } = started.body.data;
    const result = async () => (await api.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
    await eventually(result, ({ status }) => status === 'succeed');
    return id;
  }

  it('is one trace, from its caller to the upstreams', async () => {
    const workflow = await createWorkflow(api, externalCallsGraph(MODEL, `${upstream.origin}/hook`));
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const id = await run(workflow, headers);
    const pure = await createWorkflow(api, pureGraph());
    await run(pure, { traceparent: `00-${ANOTHER_TRACE}-${CALLER}-01` });
    // A process that stops sends its remaining spans first.
    await worker.end();
    await api.stop();

    const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const named = (name: string): CollectedSpan => {
      const found = spans.filter(span => span.name === name);
      expect([name, found.length]).toEqual([name, 1]);
      return found[0]!;
    };
    const request = named('POST /api/v1/workflows/{id}/run/');
    const execution = named('run workflow');
    const llm = named('node basic-node');
    const chat = named(`chat ${MODEL}`);
    const http = named('node http-node');
    const call = named('HTTP POST');
    expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2, role: 'api' });
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 200, 'scenarium.inner_status': '201' });
    expect(execution).toMatchObject({ parentSpanId: request.spanId, kind: 5, role: 'worker' });
    expect(execution.attributes).toMatchObject({ 'scenarium.run.id': id, 'scenarium.run.outcome': 'succeeded' });
    expect(llm).toMatchObject({ parentSpanId: execution.spanId, kind: 1 });
    expect(chat).toMatchObject({ parentSpanId: llm.spanId, kind: 3 });
    expect(chat.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': MODEL,
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 500,
      'server.address': '127.0.0.1',
    });
    expect(http).toMatchObject({ parentSpanId: execution.spanId });
    expect(call).toMatchObject({ parentSpanId: http.spanId, kind: 3 });
    expect(call.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
    expect(upstream.headers.at(-1)?.traceparent).toBe(`00-${TRACE}-${chat.spanId}-01`);
    const hook = upstream.calls.find(({ path }) => path === '/hook');
    expect(hook?.headers.traceparent).toBe(`00-${TRACE}-${call.spanId}-01`);
    // In any process: a run without outbound calls may finish before its request is answered.
    const others = collector.spans.filter(({ traceId }) => traceId === ANOTHER_TRACE);
    const parents = new Map(others.map(({ spanId, name }) => [spanId, name]));
    const instant = others.find(({ name }) => name === 'run workflow');
    expect(parents.get(instant?.parentSpanId ?? '')).toBe(request.name);
  });

  it('contains nothing of inputs, outputs and headers', () => {
    expect(collector.receivedText()).toContain(TRACE);
    for (const word of ['cats', 'stub answer', 'sk-upstream', api.key, '/hook'])
      expect(collector.receivedText()).not.toContain(word);
  });
});
