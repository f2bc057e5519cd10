import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { pollRun } from '../rest/workflows/finished-run.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import type { LoopbackServer } from '../support/upstreams/loopback-server.js';
import { type MailServer, startMailServer } from '../support/upstreams/mail-server.js';
import { type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';
import type { Decision, GraphCase, ProjectIds } from './graph-case.js';
import { calls } from './graphs/calls.js';
import { CONDITIONS } from './graphs/conditions.js';
import { DATA } from './graphs/data.js';
import { EXPRESSIONS } from './graphs/expressions.js';
import { models } from './graphs/models.js';
import { FAILING, HANDLER, REPORTING, RUNS, SUBWORKFLOW } from './graphs/runs.js';
import { type Servers, services } from './graphs/services.js';
import { STRUCTURE } from './graphs/structure.js';
import { startSite } from './site.js';

/** The number of requests that start runs at the same time. */
const CONCURRENT_STARTS = 8;
const START = `mutation ($id: UUID!, $data: JSON!, $input: JSON, $projectId: Int) {
  workflowRunStartGraph(id: $id, data: $data, input: $input, projectId: $projectId) { receipt { status data { data error { code message } } } errors { message } }
}`;

/** The groups of graphs. The addresses of the servers are known only when they listen. */
const groupsWith = (servers: Servers): Record<string, GraphCase[]> => ({
  expressions: EXPRESSIONS,
  conditions: CONDITIONS,
  structure: STRUCTURE,
  data: DATA,
  calls: calls(servers.site),
  models: models(servers.site),
  services: services(servers),
  runs: RUNS,
});
/** The same graphs without addresses, for the names of the tests and the kinds of nodes. */
const GROUPS = groupsWith({ site: '', mcp: '' });
/** The number of graphs. A new row increases it, so no row is lost unnoticed. */
const COUNT = 276;

let site: LoopbackServer;
let mail: MailServer;
let mcp: McpTestServer;
/** Connection of the database node. */
let connection: string;
/** Results by role, then by group and name. */
const results = new Map<string, Map<string, any>>();

beforeAll(async () => {
  site = await startSite();
  [mail, mcp] = await Promise.all([startMailServer(), startMcpServer()]);
  const url = new URL(databaseUrl(await createDatabase()));
  url.searchParams.set('sslmode', 'disable');
  connection = url.href;
  const groups = groupsWith({ site: site.url, mcp: mcp.url });
  const limits = {
    ...{ outboundAllow: ['127.0.0.1', 'localhost'], projectQueueMax: 1_000 },
    openai: { baseUrl: `${site.url}/v1`, apiKey: 'k' },
  };
  await recordResults('one process', groups, [await startTestService(limits)]);
  const api = await startTestService({ ...limits, role: 'api' });
  const worker = await startTestService({ ...limits, role: 'worker' }, api.database);
  await recordResults('an API process and a worker', groups, [api, worker]);
}, 900_000);
afterAll(async () => {
  await site?.close();
  await Promise.all([mail?.stop(), mcp?.stop()]);
});

/** Runs all graphs by the first one of the services of a role, and stops them. */
async function recordResults(
  role: string,
  groups: Record<string, GraphCase[]>,
  services: [TestService, ...TestService[]],
) {
  try {
    results.set(role, await resultsOf(services[0], groups));
  } finally {
    await Promise.all(services.map(service => service.stop()));
  }
}

/** Creates the variables and objects that graphs use. */
async function createObjects(service: TestService, project: number): Promise<ProjectIds> {
  const create = async (route: string, body: object) => {
    const answer = await service.rest('POST', `/api/v1/${route}/`, { body: { project, ...body } });
    if (answer.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body.id as number;
  };
  await create('project-variables', { name: 'DB', value: connection, is_secret: true });
  await create('project-variables', { name: 'SMTP', value: mail.url, is_secret: true });
  const workflow = await create('workflows', { title: 'Sub', data: SUBWORKFLOW });
  const reporting = await create('workflows', { title: 'Reports', data: REPORTING });
  const handler = await create('workflows', { title: 'Handles errors', data: HANDLER });
  const failing = await create('workflows', { title: 'Fails', data: FAILING(handler) });
  const form = new FormData();
  form.append('project', String(project));
  form.append('file', new Blob(['the text of a file']), 'note.txt');
  const file = (await service.rest('POST', '/api/v1/files/', { body: form })).body.file_id as string;
  const prompt = await create('prompts', { key: 'Q', role: 'user', content: 'A question', prompt_conditions: [] });
  const message = await create('messages', { key: 'M', prompts: [prompt], parameters: { model_name: 'echo' } });
  const { data } = await service.graphql('{ categories(size: 1) { items { id } } }');
  const category = data.categories.items[0].id;
  const scenario = await create('scenarios', {
    ...{ name: 'S', short_description: 'Asks.', category, messages: [message], run_fee: 0, free_runs_per_user: 0 },
  });
  return { workflow, reporting, failing, file, scenario };
}

/** Decides about the approval request of a run. */
async function decide(service: TestService, project: number, run: string, { verdict, ...body }: Decision) {
  const request = await eventually(
    async () => {
      const { body: list } = await service.rest('GET', `/api/v1/projects/${project}/agent-approvals/?size=100`);
      return list.items.find((item: { run: string }) => item.run === run);
    },
    found => found !== undefined,
  );
  const path = `/api/v1/runs/${run}/agent-approvals/${request.request_id}/${verdict}/`;
  const { status, body: answer } = await service.rest('POST', path, { body });
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

/** Runs all graphs concurrently. Returns the end of each run by group and name, or the reason why its start was refused. */
async function resultsOf(service: TestService, groups: Record<string, GraphCase[]>): Promise<Map<string, any>> {
  const projectId = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Corpus' } })).body.id;
  const objects = await createObjects(service, projectId);
  const cases = Object.entries(groups).flatMap(([group, rows]) =>
    rows.map(row => ({ key: `${group} ${row.name}`, ...row })),
  );
  const ids = new Map<string, string>();
  const waiting = [...cases];
  const outcomes = new Map<string, any>();
  const startRuns = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { key, data, input: declared = {}, decision } = next;
      const input = typeof declared === 'function' ? declared(objects) : declared;
      const id = randomUUID();
      const answer = await service.graphql(START, { id, data, input, projectId });
      const { errors, receipt } = answer.data?.workflowRunStartGraph ?? {};
      if (receipt?.status !== 201)
        outcomes.set(key, { error: { code: 'refused', detail: [errors, answer.errors, receipt] } });
      else ids.set(key, id);
      if (decision) await decide(service, projectId, id, decision);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_STARTS }, startRuns));
  await eventually(
    () => service.sql('select id from workflow_run where run_finished_at is null'),
    unfinished => unfinished.length === 0,
  );
  for (const [key, id] of ids) outcomes.set(key, await pollRun(service, id));
  return outcomes;
}

it(`has ${COUNT} graphs with different names and all kinds of nodes`, () => {
  const names = Object.entries(GROUPS).flatMap(([group, rows]) => rows.map(({ name }) => `${group} ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(COUNT);
  expect(COUNT).toBeGreaterThanOrEqual(200);
  const text = JSON.stringify(GROUPS);
  expect(nodeKinds.map(({ type }) => type).filter(type => !text.includes(`"type":"${type}"`))).toEqual([]);
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

it('sends the attachment with each email', () => {
  const emails = mail.received.filter(({ to }) => to.includes('file@example.com')).map(({ text }) => text);
  expect(emails).toHaveLength(results.size);
  for (const text of emails) {
    expect(text).toContain('filename=note.txt');
    expect(text).toContain(Buffer.from('the text of a file').toString('base64'));
  }
});

/** The value of a JSON text, if the expected output is not a text. */
function toExpectedForm(output: unknown, expected: unknown): unknown {
  return typeof output === 'string' && typeof expected !== 'string' ? JSON.parse(output) : output;
}
