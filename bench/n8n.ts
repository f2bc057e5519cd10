import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.js';
import type { HttpCall } from './keep-alive-client.js';
import { peer } from './peers.js';
import { endOf, type Started } from './processes.js';

/** Later ones, as of 2.41, depend on packages that the npm registry does not have. */
const VERSION = '1.123.0';
/** It asks for a version that its makers publish elsewhere. Nothing here reads spreadsheets. */
const OVERRIDES = { xlsx: '0.18.5' };
const PATIENCE_MS = 180_000;
const HOOK = 'bench';

export interface N8n extends Started {
  /** Starts a run and is answered by its last node. */
  run: HttpCall;
}

/** n8n on a SQLite of its own, as it comes, with a workflow webhook → if → set → respond whose runs are saved. */
export async function startN8n(): Promise<N8n> {
  const folder = await peer({ name: 'n8n', version: VERSION, overrides: OVERRIDES, hasScripts: true });
  const home = await mkdtemp(path.join(tmpdir(), 'scenarium-n8n-'));
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
  const end = endOf(child);
  const stop = async () => {
    await end();
    await rm(home, { recursive: true, force: true });
  };
  try {
    // It answers 200 and a text to everything while it starts.
    await within(PATIENCE_MS, async () => (await answerOf(`${url}/rest/settings`)).data !== undefined);
    await activate(url);
    const headers = { 'Content-Type': 'application/json' };
    const run = { url: `${url}/webhook/${HOOK}`, method: 'POST', headers, body: '{}' };
    await within(PATIENCE_MS, async () => (await answerOf(run.url, run)).text !== undefined);
    return { url, pid: child.pid, stop, run };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes an owner and, as the owner, the workflow. */
async function activate(url: string): Promise<void> {
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
  const { id, versionId } = await ask('/rest/workflows', WORKFLOW);
  await ask(`/rest/workflows/${id}/activate`, { versionId });
}

async function answerOf(url: string, request?: RequestInit): Promise<Record<string, unknown>> {
  return (await (await fetch(url, request)).json()) as Record<string, unknown>;
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + ms;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > until) throw new Error('n8n did not come up');
    await delay(250);
  }
}

const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, position: [0, 0] },
});
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

const WORKFLOW = {
  name: 'Bench',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    {
      ...node('Webhook', 'webhook', 2, { httpMethod: 'POST', path: HOOK, responseMode: 'responseNode', options: {} }),
      webhookId: HOOK,
    },
    node('If', 'if', 2.2, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
        conditions: [
          { id: 'c', leftValue: `={{ '1' }}`, rightValue: '1', operator: { type: 'string', operation: 'equals' } },
        ],
        combinator: 'and',
      },
      options: {},
    }),
    node('Set', 'set', 3.4, {
      assignments: {
        assignments: [{ id: 'a', name: 'text', value: '={{ $json.headers.host }} is what was found.', type: 'string' }],
      },
      options: {},
    }),
    node('Respond', 'respondToWebhook', 1.1, {
      respondWith: 'json',
      responseBody: '={{ { text: $json.text } }}',
      options: {},
    }),
  ],
  connections: { Webhook: { main: [to('If')] }, If: { main: [to('Set'), []] }, Set: { main: [to('Respond')] } },
  pinData: {},
};
