import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/platform/database/database.js';
import { allEvents, createProject, createTool, graph, node, post } from '../modules/mcp-server/mcp-fixtures.js';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

/** A server whose answers wait until they are released. */
class SlowServer {
  requests = 0;
  readonly #answers: (() => void)[] = [];
  readonly #server: Server = createServer((_request, response) => {
    this.requests++;
    this.#answers.push(() => response.end('done'));
  });

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  release(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('a lost connection for notifications', () => {
  const slow = new SlowServer();
  let service: TestService;
  let database: Database;
  let url: string;
  beforeAll(async () => {
    const name = await createDatabase();
    url = await slow.start();
    service = await startTestService({}, name);
    database = await openDatabase(name);
  });
  afterAll(async () => {
    slow.stop();
    await database?.close();
    await service?.stop();
  });

  const listeners = () =>
    database.query<{ pid: number }>(
      `select pid from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    );

  /** Ends the connection and waits until the process listens again. */
  async function loseNotifications(): Promise<void> {
    const before = await listeners();
    expect(before).toHaveLength(1);
    await database.query('select pg_terminate_backend($1::int)', [before[0]!.pid]);
    await eventually(listeners, ([row]) => row !== undefined && row.pid !== before[0]!.pid);
    // A notification that arrives later than the calls of the reconnect proves that those are finished.
    await new Promise(resolve => setTimeout(resolve, 100));
  }

  const requested = async (count: number) =>
    eventually(
      async () => slow.requests,
      requests => requests === count,
    );

  it('does not abort or repeat the calls of runs', async () => {
    const call = node('call', 'http-node', { method: 'GET', url });
    const workflow = await createWorkflow(service, graph([], call) as never);
    const started = slow.requests;
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    await requested(started + 1);
    await loseNotifications();
    slow.release();
    const run = await awaitFinish(service, body.data.id);
    expect([run.status, slow.requests]).toEqual(['succeed', started + 1]);
  });

  it('does not cancel the runs of tool calls', async () => {
    const project = await createProject(service, 'Tools');
    await createTool(service, project, 'slow', graph([], node('call', 'http-node', { method: 'GET', url })));
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } };
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
    const session = (await post(service.url, service.key, initialize, { project })).headers.get('mcp-session-id')!;
    const started = slow.requests;
    const headers = { 'Mcp-Session-Id': session };
    const answer = post(service.url, service.key, message, { project, headers }).then(allEvents);
    await requested(started + 1);
    await loseNotifications();
    slow.release();
    const result = (await answer).at(-1)?.message.result;
    expect([result?.isError ?? false, slow.requests]).toEqual([false, started + 1]);
  });
});
