import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createProject, createTool, graph, node } from '../modules/mcp-server/mcp-fixtures.js';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { faultPoints } from '../support/processes/fault-points.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** The API process that serves a tool call is killed, and another one takes its port. The client is the official SDK. */
describe('a tool call whose process is killed', () => {
  let upstream: StubUpstream;
  let worker: TestService;
  let project: number;
  let environment: Record<string, string>;
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    upstream = await startStubUpstream();
    const database = await createDatabase();
    worker = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
    environment = { ...testEnvironment(database), ROLE: 'api', OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    project = await createProject(worker, 'Tools');
    const llm = node('llm', 'basic-node', {
      messages: [{ role: 'user', message: 'Write.' }],
      settings: { model_name: 'gpt-4o-mini' },
      next_nodes: ['out'],
    });
    await createTool(
      worker,
      project,
      'write',
      graph([], llm, node('out', 'output-node', { value: '{{ previous.content }}' })),
    );
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(one => one.end('SIGKILL')));
  });
  afterAll(async () => {
    await worker?.stop();
    await upstream?.stop();
  });

  async function start(more: Record<string, string>): Promise<ServiceProcess> {
    const started = await startProcess({ ...environment, ...more });
    processes.push(started);
    return started;
  }

  const runs = () => worker.sql<{ id: string }>('select id from workflow_run order by created_at');
  const charges = (run: string) =>
    worker.sql('select node_id from billing_transaction where run_id = $1 order by node_id', [run]);

  it('continues its stream at another process', async () => {
    const held = upstream.hold();
    const first = await start({});
    const client = await connect(first.url, ADMIN_KEY, { project });
    const seen: number[] = [];
    const call = client.callTool({ name: 'write', arguments: {} }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
      resetTimeoutOnProgress: true,
    });
    await held.arrived;
    await first.end('SIGKILL');
    await start({ PORT: new URL(first.url).port });
    held.release();
    const result = await call;
    expect(result.content).toEqual([{ type: 'text', text: 'stub answer' }]);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    await client.close();
    const all = await runs();
    expect(all.map(({ id }) => id)).toEqual([(result._meta as any)['scenarium/runId']]);
    expect(await charges(all[0]!.id)).toEqual([{ node_id: 'llm' }, { node_id: 'out' }, { node_id: 'trigger' }]);
    expect(upstream.requests).toHaveLength(1);
  });

  const points = ['accept.before-commit', 'accept.after-commit', 'key.claimed', 'key.answered'];
  it.each(faultPoints(points))('is one run when the client sends it again (%s)', async point => {
    const before = (await runs()).length;
    const meta = point.startsWith('key.') ? { 'scenarium/idempotencyKey': point } : {};
    const first = await start({ CRASH_AT: point });
    const initialized = await send(
      first.url,
      {},
      { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    );
    const session = { 'Mcp-Session-Id': initialized.headers.get('mcp-session-id')! };
    const message = { id: 1, method: 'tools/call', params: { name: 'write', arguments: {}, _meta: meta } };
    await expect(send(first.url, session, message).then(response => response.text())).rejects.toThrow();
    expect((await first.exited).signal).toBe('SIGKILL');
    // Lets the claim of the dead process on the key expire.
    await worker.sql(`update idempotency_key set claimed_until = now() - interval '1 second'`);
    const body = await (await send(worker.url, session, message)).text();
    expect(body).toContain('stub answer');
    const all = await runs();
    expect(all).toHaveLength(before + 1);
    expect(await charges(all.at(-1)!.id)).toHaveLength(3);
  });

  function send(url: string, headers: Record<string, string>, message: object): Promise<Response> {
    return fetch(new URL(`/mcp/${project}`, url), {
      method: 'POST',
      headers: {
        ...{ ...headers, 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }
});
