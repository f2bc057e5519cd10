import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpCall } from '../load/keep-alive-client.js';
import { freePort } from '../processes/free-port.js';
import { endOf, type Started } from '../processes/processes.js';
import { peer } from './peers.js';

/** Later ones, as of 2.41, depend on packages that the npm registry does not have. */
const VERSION = '1.123.0';
/** It asks for a version that its makers publish elsewhere. Nothing here reads spreadsheets. */
const OVERRIDES = { xlsx: '0.18.5' };
const PATIENCE_MS = 180_000;
const LOOK_MS = 25;

/** n8n with workflows of ours; what their runs do is saved. */
export interface N8n extends Started {
  /** Starts a run (webhook → if → set → respond) and is answered by its last node. */
  run: HttpCall;
  /** The same run, answered as soon as it is accepted. */
  accept: HttpCall;
  /** A run with a call to `url` in the place of the condition, answered by its last node. */
  calling(url: string): Promise<HttpCall>;
}

/** n8n on a SQLite of its own, as it comes. */
export async function startN8n(): Promise<N8n> {
  const home = await mkdtemp(path.join(tmpdir(), 'scenarium-n8n-'));
  const remove = () => rm(home, { recursive: true, force: true });
  const started = await launch(home).catch(async error => {
    await remove();
    throw error;
  });
  const stop = async () => {
    await started.stop();
    await remove();
  };
  try {
    const publish = await publisher(started.url);
    const run = await publish('run', WORKFLOW);
    const accept = await publish('accept', { ...WORKFLOW, responseMode: 'onReceived' });
    return {
      ...started,
      stop,
      run,
      accept,
      calling: url => publish(`calling-${new URL(url).port}`, { ...WORKFLOW, middle: httpNode(url) }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database that n8n has migrated, with a workflow that is active: what starts on it is ready with its first answer. */
export async function settledN8n(): Promise<{
  start(): Promise<Started>;
  call(url: string): HttpCall;
  remove(): Promise<void>;
}> {
  const home = await mkdtemp(path.join(tmpdir(), 'scenarium-n8n-'));
  const first = await launch(home);
  try {
    await (await publisher(first.url))('run', WORKFLOW);
  } finally {
    await first.stop();
  }
  return {
    async start() {
      const started = await launch(home);
      await answers(callOf(started.url, 'run'));
      return started;
    },
    call: url => callOf(url, 'run'),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function launch(home: string): Promise<Started> {
  const folder = await peer({ name: 'n8n', version: VERSION, overrides: OVERRIDES, hasScripts: true });
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
      N8N_RUNNERS_ENABLED: 'false',
      EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
    },
    stdio: 'ignore',
  });
  const stop = endOf(child);
  try {
    // It answers 200 and a text to everything while it starts.
    await within(PATIENCE_MS, async () => (await answerOf(`${url}/rest/settings`)).data !== undefined);
    return { url, pid: child.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Workflow {
  responseMode: 'responseNode' | 'onReceived';
  /** What stands between the webhook and what makes the answer. */
  middle: ReturnType<typeof node>;
}

/** Makes an owner; what it answers makes, as the owner, an active workflow with a hook of that name. */
async function publisher(url: string): Promise<(hook: string, workflow: Workflow) => Promise<HttpCall>> {
  let cookie = '';
  const ask = async (address: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json', 'browser-id': 'bench', cookie };
    const answer = await fetch(`${url}${address}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok)
      throw new Error(`n8n answered ${answer.status} to ${address}: ${(await answer.text()).slice(0, 200)}`);
    cookie ||= (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
    return ((await answer.json()) as { data: { id: string; versionId: string } }).data;
  };
  const owner = { email: 'bench@example.com', firstName: 'B', lastName: 'B', password: 'Password-of-the-bench-1' };
  await ask('/rest/owner/setup', owner);
  return async (hook, workflow) => {
    const { id, versionId } = await ask('/rest/workflows', workflowOf(hook, workflow));
    await ask(`/rest/workflows/${id}/activate`, { versionId });
    const call = callOf(url, hook);
    await answers(call);
    return call;
  };
}

function callOf(url: string, hook: string): HttpCall {
  const headers = { 'Content-Type': 'application/json' };
  return { url: `${url}/webhook/${hook}`, method: 'POST', headers, body: '{}' };
}

function answers(call: HttpCall): Promise<void> {
  return within(PATIENCE_MS, async () => (await fetch(call.url, call)).ok);
}

async function answerOf(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>;
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + ms;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > until) throw new Error('n8n did not come up');
    await delay(LOOK_MS);
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

const WORKFLOW: Workflow = { responseMode: 'responseNode', middle: condition };

function workflowOf(hook: string, { responseMode, middle }: Workflow) {
  return {
    name: hook,
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: [
      {
        ...node('Webhook', 'webhook', 2, { httpMethod: 'POST', path: hook, responseMode, options: {} }),
        webhookId: hook,
      },
      middle,
      node('Set', 'set', 3.4, {
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
      }),
      ...(responseMode === 'responseNode'
        ? [
            node('Respond', 'respondToWebhook', 1.1, {
              respondWith: 'json',
              responseBody: '={{ { text: $json.text } }}',
              options: {},
            }),
          ]
        : []),
    ],
    connections: {
      Webhook: { main: [to('Middle')] },
      Middle: { main: [to('Set'), []] },
      ...(responseMode === 'responseNode' ? { Set: { main: [to('Respond')] } } : {}),
    },
    pinData: {},
  };
}
