import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { ROOT } from '../support/readme/readme.js';
import { createWorkflow, externalCallsGraph, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
const CANARY = 'canary8c41f0';
const TOKEN = 'a-token-for-prometheus';

async function read(url: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/metrics`, { headers });
  return { status: response.status, text: await response.text() };
}

/** Samples by name and labels, as they are in the text. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const namesOf = (text: string) => [...text.matchAll(/^# HELP (\w+) /gm)].map(match => match[1] as string);

const RUN_STARTS = 'method="POST",route="/api/v1/workflows/{id}/run/",status="200"';

describe('the metrics of a service', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let text = '';
  let samples = new Map<string, number>();
  const ids: string[] = [];

  const sample = (name: string) => samples.get(name);

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: CANARY } });
    const start = async (workflow: number, body: unknown) => {
      const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body });
      ids.push(answer.body.data.id);
      const result = async () =>
        (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${answer.body.data.id}`)).body.data;
      await eventually(result, ({ status }) => ['succeed', 'failed'].includes(status));
    };
    const pure = await createWorkflow(service, pureGraph());
    await start(pure, { topic: CANARY });
    await start(pure, {});
    await start(await createWorkflow(service, externalCallsGraph(MODEL, `${upstream.origin}/${CANARY}`)), {
      topic: CANARY,
    });
    await start(await createWorkflow(service, externalCallsGraph(`${CANARY}-model`, 'http://10.0.0.1/')), {
      topic: 'x',
    });
    for (const model of [MODEL, CANARY])
      await service.rest('POST', '/v1/chat/completions', {
        headers: { Authorization: `Bearer ${service.key}` },
        body: { model, messages: [{ role: 'user', content: CANARY }] },
      });
    await service.graphql(`query ${CANARY} { projects { total } }`);
    await service.graphql(`{ ${CANARY} }`);
    await service.rest('GET', `/${CANARY}?${CANARY}=${CANARY}`, { headers: { 'X-Request-Id': CANARY } });
    await service.rest('GET', `/api/v1/projects/?name=${CANARY}`, { key: CANARY });
    const limited = await service.createUser('limited');
    await service.sql('update api_key set rate_limit = 1 where id = (select max(id) from api_key)');
    for (let request = 0; request < 3; request++)
      await service.rest('GET', '/api/v1/projects/?size=0', { key: limited.key });
    const webhook_url = `${upstream.origin}/receiver-${CANARY}`;
    await service.rest('PATCH', '/api/v1/projects/1/', { body: { webhook_url, is_webhook_enabled: true } });
    await start(pure, { topic: CANARY });
    const ended = `scenarium_model_tokens_total{provider="openai",model="${MODEL}",direction="input"}`;
    // Requests, the usage of chat completions and the results of webhooks are counted after the responses.
    text = await eventually(
      async () => (await read(service.url)).text,
      scraped =>
        scraped.includes(`${ended} 2000`) &&
        scraped.includes('scenarium_runs{kind="workflow",state="queued"} 0') &&
        scraped.includes('scenarium_webhook_attempts_total{verdict="delivered"}') &&
        samplesOf(scraped).get(`scenarium_http_requests_total{${RUN_STARTS},inner="201"}`) === 4,
    );
    samples = samplesOf(text);
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  it('count requests by route, status and error code', () => {
    expect(sample(`scenarium_http_requests_total{${RUN_STARTS},inner="201"}`)).toBe(4);
    expect(sample(`scenarium_http_requests_total{${RUN_STARTS},inner="422"}`)).toBe(1);
    const labels = 'method="POST",route="/graphql"';
    expect(sample(`scenarium_http_requests_total{${labels},status="200",inner=""}`)).toBe(1);
    expect(sample(`scenarium_http_requests_total{${labels},status="400",inner="GRAPHQL_VALIDATION_FAILED"}`)).toBe(1);
    expect(sample('scenarium_http_requests_total{method="GET",route="other",status="404",inner=""}')).toBe(1);
    expect(sample('scenarium_graphql_fields_total{field="projects"}')).toBe(1);
    expect(sample(`scenarium_http_request_duration_seconds_count{${labels}}`)).toBe(2);
    expect(sample('scenarium_rate_limited_total')).toBe(2);
  });

  it('count runs and nodes by outcome', () => {
    expect(sample('scenarium_runs_ended_total{kind="workflow",outcome="succeeded"}')).toBe(3);
    expect(sample('scenarium_runs_ended_total{kind="workflow",outcome="failed"}')).toBe(1);
    expect(sample('scenarium_run_wait_seconds_count{kind="workflow"}')).toBe(4);
    expect(sample('scenarium_node_duration_seconds_count{type="basic-node",outcome="succeeded"}')).toBe(2);
    expect(sample('scenarium_node_duration_seconds_count{type="http-node",outcome="failed"}')).toBe(1);
    expect(sample('scenarium_runs{kind="workflow",state="queued"}')).toBe(0);
    expect(sample('scenarium_database_up')).toBe(1);
  });

  it('count calls, tokens and costs by model, and all unknown models as one', () => {
    expect(sample(`scenarium_model_calls_total{provider="openai",model="${MODEL}",outcome="ok"}`)).toBe(2);
    expect(sample('scenarium_model_calls_total{provider="openai",model="other",outcome="ok"}')).toBe(2);
    // 1,000 input and 500 output tokens, at 0.15 and 0.60 US dollars per million, by a node and by the proxy.
    expect(sample(`scenarium_model_cost_usd_total{provider="openai",model="${MODEL}"}`)).toBeCloseTo(0.0009, 10);
  });

  it('include slots in use, waiting calls and the age of the oldest of every queue for slots', () => {
    const kinds = (name: string) =>
      [...samples.keys()].flatMap(key => (key.startsWith(`${name}{`) ? [key.split('"')[1]] : [])).sort();
    for (const name of ['scenarium_slots_held', 'scenarium_slots_waiting', 'scenarium_slot_oldest_wait_seconds'])
      expect([name, kinds(name)]).toEqual([name, ['chat', 'clustering', 'model', 'openapi', 'password', 'script']]);
  });

  it('contain no secret, no id, and no text of a caller', () => {
    for (const word of [CANARY, service.key, 'admin@example.com', ...ids]) expect(text).not.toContain(word);
    const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => `${name}=${value}`);
    const kinds = new Set(labels.map(label => label.slice(0, label.indexOf('='))));
    expect([...kinds].sort()).toEqual(
      'direction field inner kind le method model outcome percentile provider queue route start state status type verdict'.split(
        ' ',
      ),
    );
  });

  it('are those that the dashboard, the alerts and docs/operations.md name', () => {
    const known = new Set(namesOf(text));
    const named = (file: string) => {
      const page = readFileSync(path.join(ROOT, file), 'utf8');
      const names = page.match(/\b(scenarium|process|nodejs)_[a-z0-9_]*[a-z0-9]\b/g) ?? [];
      return new Set(names.map(name => name.replace(/_(bucket|sum|count)$/, '')));
    };
    for (const file of ['deploy/grafana/scenarium.json', 'deploy/prometheus/alerts.yaml', 'docs/operations.md']) {
      expect([file, [...named(file)].filter(name => !known.has(name))]).toEqual([file, []]);
      expect(named(file).size).toBeGreaterThan(5);
    }
    expect([...known].filter(name => !named('docs/operations.md').has(name))).toEqual([]);
  });

  it('are only for processes of this machine, not for clients of a proxy on it, and cannot be posted to', async () => {
    expect((await read(service.url, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(404);
    const refused = await fetch(`${service.url}/metrics`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a worker with METRICS_PORT and METRICS_TOKEN', () => {
  let service: TestService;
  let port: number;

  beforeAll(async () => {
    service = await startTestService({ role: 'worker', metricsPort: 0, metricsToken: TOKEN, production: true });
    port = service.metricsPort as number;
  });
  afterAll(() => service?.stop());

  it('shows its metrics to callers with the token, and its health to every caller', async () => {
    const url = `http://127.0.0.1:${port}`;
    expect((await read(url)).status).toBe(401);
    expect((await read(url, { Authorization: 'Bearer another-token-01' })).status).toBe(401);
    const { status, text } = await read(url, { Authorization: `Bearer ${TOKEN}` });
    expect([status, samplesOf(text).get('scenarium_runs_active{kind="workflow"}')]).toEqual([200, 0]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/graphql`)).status).toBe(404);
  });
});

describe('an API in production without METRICS_TOKEN', () => {
  it('shows its metrics to no caller', async () => {
    const service = await startTestService({ role: 'api', production: true });
    expect((await read(service.url)).status).toBe(404);
    await service.stop();
  });
});
