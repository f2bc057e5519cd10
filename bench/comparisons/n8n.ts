import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Databases } from '../databases/databases.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { freePort } from '../processes/free-port.js';
import { type StartedProcess, stopperOf } from '../processes/processes.js';
import { installPeer } from './peers.js';

const VERSION = '2.41.1';
/** The engines that evaluate its expressions: the one of its default configuration, and the fastest. */
const ENGINES = { default: 'vm', fastest: 'legacy' } as const;
export type N8nEngine = keyof typeof ENGINES;
export const N8N_ENGINES = Object.keys(ENGINES) as N8nEngine[];
const TIMEOUT_MS = 180_000;
const POLL_MS = 25;

/** n8n with the workflows of the benchmark. It saves the data of their runs. */
export interface N8n extends StartedProcess {
  /** Starts a run (webhook → if → set → respond), to which the last node responds. */
  run: HttpCall;
  /** The same run, with a response as soon as it is accepted. */
  accept: HttpCall;
  /**
   * Publishes workflows that call `url` by an HTTP node, in which the last node responds: webhook → HTTP → set → respond,
   * and `plain` without the set.
   */
  publishCalling(url: string): Promise<{ text: HttpCall; plain: HttpCall }>;
}

/** n8n with its default configuration, except for the engine, on a PostgreSQL database of its own. */
export async function startN8n(databases: Databases, engine: N8nEngine): Promise<N8n> {
  const started = await launch(await createHome(databases), await databases.create(), engine);
  try {
    const publish = await createPublisher(started.url);
    return {
      ...started,
      run: await publish('run', PURE),
      accept: await publish('accept', { responseMode: 'onReceived', nodes: [condition, text] }),
      publishCalling: async url => ({
        text: await publish('text', { responseMode: 'responseNode', nodes: [httpNode(url), text, respondWithText] }),
        plain: await publish('plain', { responseMode: 'responseNode', nodes: [httpNode(url), respond] }),
      }),
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/**
 * Prepares a database that n8n has migrated, with an active workflow. `start` resolves when that workflow responds for the
 * first time.
 */
export async function prepareN8n(databases: Databases): Promise<{
  start(): Promise<StartedProcess>;
  call(url: string): HttpCall;
}> {
  const database = await databases.create();
  const home = await createHome(databases);
  const first = await launch(home, database, 'default');
  try {
    await (await createPublisher(first.url))('run', PURE);
  } finally {
    await first.stop();
  }
  return {
    async start() {
      const started = await launch(home, database, 'default');
      await waitForSuccess(callOf(started.url, 'run'));
      return started;
    },
    call: url => callOf(url, 'run'),
  };
}

/** Creates a folder for its files, which `Databases.close` deletes. */
function createHome({ folder }: Databases): Promise<string> {
  return mkdtemp(path.join(folder, 'n8n-'));
}

async function launch(home: string, database: string, engine: N8nEngine): Promise<StartedProcess> {
  const folder = await installPeer({ name: 'n8n', version: VERSION, flags: ['--legacy-peer-deps'] });
  const { hostname, port: databasePort, pathname, username, password } = new URL(database);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [path.join(folder, 'bin', 'n8n'), 'start'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      N8N_USER_FOLDER: home,
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      N8N_EXPRESSION_ENGINE: ENGINES[engine],
      EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: hostname,
      DB_POSTGRESDB_PORT: databasePort || '5432',
      DB_POSTGRESDB_DATABASE: pathname.slice(1),
      DB_POSTGRESDB_USER: decodeURIComponent(username),
      DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
    },
    stdio: 'ignore',
  });
  const stop = stopperOf(child);
  try {
    // During startup it responds to every request with 200 and a text.
    await waitUntil(TIMEOUT_MS, async () => (await fetchJson(`${url}/rest/settings`)).data !== undefined);
    return { url, pid: child.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Workflow {
  responseMode: 'responseNode' | 'onReceived';
  /** The nodes after the webhook, in their order. */
  nodes: ReturnType<typeof node>[];
}

/** Creates an owner. The result creates an active workflow with a webhook of that name as this owner. */
async function createPublisher(url: string): Promise<(hook: string, workflow: Workflow) => Promise<HttpCall>> {
  let cookie = '';
  const post = async (address: string, body: unknown) => {
    // n8n accepts the session cookie only together with the browser-id of the login.
    const headers = { 'Content-Type': 'application/json', 'browser-id': 'bench', cookie };
    const answer = await fetch(`${url}${address}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok)
      throw new Error(`n8n answered ${answer.status} to ${address}: ${(await answer.text()).slice(0, 200)}`);
    cookie ||= (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
    return ((await answer.json()) as { data: { id: string; versionId: string } }).data;
  };
  const owner = { email: 'bench@example.com', firstName: 'B', lastName: 'B', password: 'Password-of-the-bench-1' };
  await post('/rest/owner/setup', owner);
  return async (hook, workflow) => {
    const { id, versionId } = await post('/rest/workflows', workflowOf(hook, workflow));
    await post(`/rest/workflows/${id}/activate`, { versionId });
    const call = callOf(url, hook);
    await waitForSuccess(call);
    return call;
  };
}

function callOf(url: string, hook: string): HttpCall {
  const headers = { 'Content-Type': 'application/json' };
  return { url: `${url}/webhook/${hook}`, method: 'POST', headers, body: '{}' };
}

function waitForSuccess(call: HttpCall): Promise<void> {
  return waitUntil(TIMEOUT_MS, async () => (await fetch(call.url, call)).ok);
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>;
}

async function waitUntil(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + ms;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > until) throw new Error('n8n did not start');
    await delay(POLL_MS);
  }
}

const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, position: [0, 0] },
});
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

const condition = node('Middle', 'if', 2.2, {
  conditions: {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
    conditions: [
      { id: 'c', leftValue: `={{ '1' }}`, rightValue: '1', operator: { type: 'string', operation: 'equals' } },
    ],
    combinator: 'and',
  },
  options: {},
});
const httpNode = (url: string) => node('Middle', 'httpRequest', 4.2, { url, method: 'GET', options: {} });
const text = node('Set', 'set', 3.4, {
  assignments: {
    assignments: [
      {
        id: 'a',
        name: 'text',
        value: `={{ $('Webhook').item.json.headers.host }} is what was found.`,
        type: 'string',
      },
    ],
  },
  options: {},
});
const respondWithText = node('Respond', 'respondToWebhook', 1.1, {
  respondWith: 'json',
  responseBody: '={{ { text: $json.text } }}',
  options: {},
});
const respond = node('Respond', 'respondToWebhook', 1.1, { respondWith: 'firstIncomingItem', options: {} });

const PURE: Workflow = { responseMode: 'responseNode', nodes: [condition, text, respondWithText] };

function workflowOf(hook: string, { responseMode, nodes }: Workflow) {
  const webhook = node('Webhook', 'webhook', 2, { httpMethod: 'POST', path: hook, responseMode, options: {} });
  const all = [{ ...webhook, webhookId: hook }, ...nodes];
  return {
    name: hook,
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: all,
    connections: Object.fromEntries(nodes.map(({ name }, index) => [all[index]!.name, { main: [to(name)] }])),
    pinData: {},
  };
}
