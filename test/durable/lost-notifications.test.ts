import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/platform/database/database.js';
import { allEvents, createProject, createTool, graph, node, post } from '../modules/mcp-server/mcp-fixtures.js';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

describe('a lost connection for notifications', () => {
  /** Requests to `server` that wait for their responses. */
  let open: ServerResponse[] = [];
  let requests = 0;
  let server: LoopbackServer;
  let service: TestService;
  let database: Database;
  let url: string;
  beforeAll(async () => {
    const name = await createDatabase();
    server = await serveHttp((_request, response) => {
      requests++;
      open.push(response);
    });
    url = server.url;
    service = await startTestService({}, name);
    database = await openDatabase(name);
  });
  afterAll(async () => {
    await server?.close();
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
    // Time for the work that a reconnect starts: it must not abort or repeat calls.
    await new Promise(resolve => setTimeout(resolve, 100));
  }

  function release(): void {
    for (const response of open) response.end('done');
    open = [];
  }

  const awaitRequests = async (count: number) =>
    eventually(
      async () => requests,
      sent => sent === count,
    );

  it('does not abort or repeat the calls of runs', async () => {
    const call = node('call', 'http-node', { method: 'GET', url });
    const workflow = await createWorkflow(service, graph([], call));
    const started = requests;
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    await awaitRequests(started + 1);
    await loseNotifications();
    release();
    const run = await awaitFinish(service, body.data.id);
    expect([run.status, requests]).toEqual(['succeed', started + 1]);
  });

  it('does not cancel the runs of tool calls', async () => {
    const project = await createProject(service, 'Tools');
    await createTool(service, project, 'slow', graph([], node('call', 'http-node', { method: 'GET', url })));
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } };
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
    const session = (await post(service.url, service.key, initialize, { project })).headers.get('mcp-session-id')!;
    const started = requests;
    const headers = { 'Mcp-Session-Id': session };
    const answer = post(service.url, service.key, message, { project, headers }).then(allEvents);
    await awaitRequests(started + 1);
    await loseNotifications();
    release();
    const result = (await answer).at(-1)?.message.result;
    expect([result?.isError ?? false, requests]).toEqual([false, started + 1]);
  });
});
