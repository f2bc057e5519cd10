import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import { McpRoutes } from '../../../src/http/mcp/mcp-routes.js';
import type { HttpOptions, HttpServices } from '../../../src/http/options.js';
import { createLog } from '../../../src/platform/logging/log.js';
import type { PolledMetric, Sample } from '../../../src/platform/metrics/polled-metric.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { allEvents, createProject, createTool, graph, node, post } from './mcp-fixtures.js';

/** The rate limit of the test's key: the third of its requests is refused. */
const LIMIT = 2;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const callOfGreet = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'greet', arguments: {} } };

let service: TestService;
let project: number;

beforeAll(async () => {
  service = await startTestService({ maxBodyBytes: 20_000, rateLimitPerMinute: 1_000 });
  project = await createProject(service, 'Counted');
  await createTool(service, project, 'greet', graph([], node('out', 'output-node', { value: 'Hello' })));
});
afterAll(() => service?.stop());

async function counts(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^scenarium_mcp_requests_total\{method="([^"]+)",outcome="([^"]+)"\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, method, outcome, value]) => [`${method} ${outcome}`, Number(value)]));
}

/** The counts that the requests of `send` add. */
async function added(send: () => Promise<unknown>, expected: Record<string, number>) {
  const before = await counts(service.url);
  await send();
  const difference = async () => {
    const after = await counts(service.url);
    const changes = Object.keys(after).map(name => [name, after[name]! - (before[name] ?? 0)] as const);
    return Object.fromEntries(changes.filter(([, change]) => change !== 0));
  };
  const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
  const changes = await eventually(
    difference,
    found => Object.values(found).reduce((sum, count) => sum + count, 0) >= total,
  );
  expect(changes).toEqual(expected);
}

const statusOf = async (message: unknown, key = service.key, headers: Record<string, string> = {}) => {
  const response = await post(service.url, key, message, { project, headers });
  await response.text();
  return response.status;
};

it('counts a call whose stream has ended once', async () => {
  const send = async () => allEvents(await post(service.url, service.key, callOfGreet, { project }));
  await added(send, { 'tools/call answered': 1 });
});

it.each([
  ['no credentials', 401, 'invalid rejected', () => statusOf(ping, '')],
  ['a foreign origin', 403, 'invalid rejected', () => statusOf(ping, service.key, { Origin: 'https://evil.example' })],
  ['a body above the limit', 413, 'invalid rejected', () => statusOf({ ...ping, id: 'x'.repeat(30_000) })],
  ['an error in its response', 200, 'other rejected', () => statusOf({ ...ping, method: 'x/y' })],
])('counts a request with %s once', async (_title, status, label, send) => {
  await added(async () => expect(await send()).toBe(status), { [label]: 1 });
});

it('counts a request above the rate limit once', async () => {
  const { email, key } = await service.createUser('limited');
  await service.sql('update api_key set rate_limit = $1 where user_id = (select id from app_user where email = $2)', [
    LIMIT,
    email,
  ]);
  await added(
    async () => {
      const statuses = [];
      for (let n = 0; n <= LIMIT; n++) statuses.push(await statusOf(ping, key));
      expect(statuses.at(-1)).toBe(429);
    },
    { 'ping answered': LIMIT, 'invalid rejected': 1 },
  );
});

it('logs the error of a stream that fails and counts its request once', async () => {
  const { url, lines, samples, close } = await startRoutes(async function* () {
    yield { id: '1', message: null };
    throw new Error('the journal is unreadable');
  });
  try {
    const response = await post(url, 'any', callOfGreet, { project: 1 });
    await response.text().catch(() => {});
    const [sample, ...others] = await eventually(
      async () => samples(),
      found => found.length > 0,
    );
    expect([sample, others]).toEqual([{ labels: { method: 'tools/call', outcome: 'rejected' }, value: 1 }, []]);
    expect(lines.join('')).toMatch(/the journal is unreadable.*MCP stream failed/s);
  } finally {
    close();
  }
});

/** The routes with services that answer each message with these events. */
async function startRoutes(events: () => AsyncIterable<{ id: string; message: null }>) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const polled: PolledMetric[] = [];
  const services = {
    maintenance: { current: { isOn: false } },
    identity: { mcpContextFor: async () => ({ viewer: { userId: 1 }, caller: { userId: 1 } }) },
    mcp: { methods: ['tools/call'], receive: async () => ({ kind: 'stream', events: events() }) },
  } as unknown as HttpServices;
  const options = {
    log: createLog('error', destination),
    telemetry: { metrics: { add: (metric: PolledMetric) => polled.push(metric) } },
    socketLimits: { sockets: 10, perUser: 10 },
    corsOrigins: [],
    maxBodyBytes: 20_000,
    credentialsRecheckMs: 60_000,
  } as unknown as HttpOptions;
  const routes = new McpRoutes(services, options, () => '127.0.0.1');
  const server = http.createServer(express().use(routes.router));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    samples: () => polled[0]!.read() as readonly Sample[],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
