import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { polled } from '../rest/workflows/finished-run.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import type { GraphCase } from './graph-case.js';
import { calls } from './graphs/calls.js';
import { CONDITIONS } from './graphs/conditions.js';
import { DATA } from './graphs/data.js';
import { EXPRESSIONS } from './graphs/expressions.js';
import { STRUCTURE } from './graphs/structure.js';

/** Starts at the same time. */
const LANES = 8;
const FEED =
  '<rss version="2.0"><channel><title>Shop</title><item><title>First</title></item><item><title>B</title></item></channel></rss>';
const START = `mutation ($id: UUID!, $data: JSON!, $input: JSON, $projectId: Int) {
  workflowRunStartGraph(id: $id, data: $data, input: $input, projectId: $projectId) { receipt { status data { data error { code message } } } errors { message } }
}`;

/** The groups of graphs. The address of the server is known only when it listens. */
const groupsAt = (site: string): Record<string, GraphCase[]> => ({
  expressions: EXPRESSIONS,
  conditions: CONDITIONS,
  structure: STRUCTURE,
  data: DATA,
  calls: calls(site),
});
const GROUPS = groupsAt('');

let site: Server;
let tries = 0;
/** Results by role, then by group and name. */
const results = new Map<string, Map<string, any>>();

beforeAll(async () => {
  site = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method, url = '', headers } = request;
    if (url === '/missing') return void response.writeHead(404).end('missing');
    if (url === '/redirect') return void response.writeHead(302, { location: '/echo' }).end();
    if (url === '/binary')
      return void response
        .writeHead(200, { 'content-type': 'image/x-unknown', 'content-disposition': 'attachment; filename=data.bin' })
        .end(Buffer.from([255, 0, 254, 1]));
    if (url === '/third-time') return void (++tries % 3 === 0 ? response.end('third') : response.writeHead(503).end());
    if (url === '/slow') return;
    if (url === '/feed') return void response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(FEED);
    if (url === '/graphql')
      return void response.end(
        JSON.parse(body.toString()).query === '{ a }' ? '{"data":{"a":1}}' : '{"errors":[{"message":"no"}]}',
      );
    const text = body.toString();
    const type = headers['content-type'] ?? '';
    const shown = { method, path: url, type, bytes: body.length, custom: headers['x-custom'] ?? null };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...shown, body: type.includes('json') ? JSON.parse(text) : text.slice(0, 100) }));
  }).listen(0, '127.0.0.1');
  await new Promise(listening => site.once('listening', listening));
  const groups = groupsAt(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  const limits = { outboundAllow: ['127.0.0.1'], projectQueueMax: 1_000 };
  const whole = await startTestService(limits);
  results.set('one process', await resultsOf(whole, groups));
  await whole.stop();
  const api = await startTestService({ ...limits, role: 'api' });
  const worker = await startTestService({ ...limits, role: 'worker' }, api.database);
  results.set('an API process and a worker', await resultsOf(api, groups));
  await Promise.all([api.stop(), worker.stop()]);
}, 300_000);
afterAll(() => {
  site?.closeAllConnections();
  site?.close();
});

/** Runs all graphs concurrently. */
async function resultsOf(service: TestService, groups: Record<string, GraphCase[]>): Promise<Map<string, any>> {
  const projectId = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Corpus' } })).body.id;
  const cases = Object.entries(groups).flatMap(([group, rows]) =>
    rows.map(row => ({ key: `${group} ${row.name}`, ...row })),
  );
  const ids = new Map<string, string>();
  const waiting = [...cases];
  const refused = new Map<string, any>();
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { key, data, input = {} } = next;
      const id = randomUUID();
      const answer = await service.graphql(START, { id, data, input, projectId });
      const { errors, receipt } = answer.data?.workflowRunStartGraph ?? {};
      if (receipt?.status !== 201)
        refused.set(key, { error: { code: 'refused', detail: [errors, answer.errors, receipt] } });
      else ids.set(key, id);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await eventually(
    () => service.sql('select id from workflow_run where run_finished_at is null'),
    unfinished => unfinished.length === 0,
  );
  const found = refused;
  for (const [key, id] of ids) found.set(key, await polled(service, id));
  return found;
}

it('has at least 200 graphs with different names', () => {
  const names = Object.entries(GROUPS).flatMap(([group, rows]) => rows.map(({ name }) => `${group} ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(200);
});

describe.each(Object.entries(GROUPS))('%s', (group, rows) => {
  it.each(rows.map(row => [row.name, row] as const))('%s', (name, row) => {
    for (const [role, found] of results) {
      const run = found.get(`${group} ${name}`);
      if (row.error !== undefined) expect([role, run?.error?.code]).toEqual([role, row.error]);
      else
        expect([role, run?.error ?? null, toExpectedForm(run?.output, row.output)]).toEqual([role, null, row.output]);
    }
    expect(results.size).toBe(2);
  });
});

/** The value of a JSON text, if the expected output is not a text. */
function toExpectedForm(output: unknown, expected: unknown): unknown {
  return typeof output === 'string' && typeof expected !== 'string' ? JSON.parse(output) : output;
}
