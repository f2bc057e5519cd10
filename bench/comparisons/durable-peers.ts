import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { HttpCall } from '../load/keep-alive-client.js';
import type { RunPoll } from '../load/run-calls.js';
import { freePort } from '../processes/free-port.js';
import { type StartedProcess, startScript, stopperOf } from '../processes/processes.js';
import { installPeer } from './peers.js';

/** The kinds of runs that are compared: without a call, one call, five calls in sequence, ten in parallel. */
export const KINDS = ['none', 'one', 'sequence', 'parallel'] as const;
export type Kind = (typeof KINDS)[number];

/** A service that executes durable runs. */
export interface DurableService extends RunPoll {
  name: string;
  /** Its processes, without those of PostgreSQL. */
  pids: number[];
  /** The database that it uses; absent: its own store. */
  database?: string;
  /** The request that starts a run. */
  start(kind: Kind): HttpCall & { status?: number };
  /** Number of accepted runs that have not ended. */
  unfinished(): Promise<number>;
  stop(): Promise<void>;
}

const DBOS_VERSION = '5.3.0';
const RESTATE_VERSION = '1.7.12';
const RESTATE_SDK = '@restatedev/restate-sdk@1.17.2';
const TIMEOUT_MS = 30_000;

/** DBOS in a process of its own, on the same PostgreSQL server. */
export async function startDbos(database: string, calledUrl: string): Promise<DurableService> {
  const folder = await installPeer({ name: '@dbos-inc/dbos-sdk', version: DBOS_VERSION });
  const app = await startScript('comparisons/dbos-app', database, folder, calledUrl);
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  const json = { 'Content-Type': 'application/json' };
  return {
    name: 'DBOS',
    pids: [app.pid ?? 0],
    database,
    start: kind => ({ url: `${app.url}/start/${kind}`, method: 'POST', headers: json, body: '{}' }),
    idOf: body => JSON.parse(body).id,
    async unfinished() {
      const text = `select count(*)::int as runs from dbos.workflow_status where status in ('PENDING', 'ENQUEUED')`;
      return (await pool.query<{ runs: number }>(text)).rows[0]!.runs;
    },
    state: id => ({ url: `${app.url}/status/${id}` }),
    hasEnded(_status, body) {
      const { state } = JSON.parse(body);
      if (state === 'ERROR') throw new Error(`a run failed: ${body}`);
      return state === 'SUCCESS';
    },
    async stop() {
      await pool.end();
      await app.stop();
    },
  };
}

/** The server of Restate with its own store, and a Node service with the handlers. */
export async function startRestate(calledUrl: string): Promise<DurableService> {
  const installed = await installPeer({
    name: '@restatedev/restate-server',
    version: RESTATE_VERSION,
    more: [RESTATE_SDK],
  });
  const binary = path.join(installed, '..', 'restate-server-linux-x64', 'bin', 'restate-server');
  const home = await mkdtemp(path.join(tmpdir(), 'scenarium-restate-'));
  const [ingress, admin, node, service] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const app = await startScript('comparisons/restate-app', installed, calledUrl, String(service));
  const address = (port: number) => `127.0.0.1:${port}`;
  const child = spawn(binary, ['--base-dir', home, '--node-name', 'bench'], {
    env: {
      PATH: process.env.PATH,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_BIND_ADDRESS: address(node),
      RESTATE_ADVERTISED_ADDRESS: `http://${address(node)}`,
      RESTATE_INGRESS__BIND_ADDRESS: address(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: address(admin),
      RUST_LOG: 'error',
    },
    stdio: 'ignore',
  });
  const end = stopperOf(child);
  const stop = async () => {
    await end();
    await app.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await registerDeployment(`http://${address(admin)}`, app);
  } catch (error) {
    await stop();
    throw error;
  }
  const json = { 'Content-Type': 'application/json' };
  return {
    name: 'Restate',
    pids: [child.pid ?? 0, app.pid ?? 0],
    start: kind => ({
      url: `http://${address(ingress)}/flow/${kind}/send`,
      method: 'POST',
      headers: json,
      status: 202,
    }),
    idOf: body => JSON.parse(body).invocationId,
    unfinished: () => unfinishedInvocations(`http://${address(admin)}`),
    state: id => ({ url: `http://${address(ingress)}/restate/invocation/${id}/output` }),
    // Without a stored result the invocation is unknown after its end.
    hasEnded: (status, _body) => status === 200 || status === 404,
    stop,
  };
}

async function registerDeployment(admin: string, app: StartedProcess): Promise<void> {
  const body = JSON.stringify({ uri: app.url });
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await delay(200)) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${admin}/deployments`, { method: 'POST', headers, body }).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`the Restate server did not accept its service within ${TIMEOUT_MS} ms`);
}

async function unfinishedInvocations(admin: string): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const query = `select count(1) as runs from sys_invocation where status <> 'completed'`;
  const response = await fetch(`${admin}/query`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return ((await response.json()) as { rows: { runs: number }[] }).rows[0]!.runs;
}
