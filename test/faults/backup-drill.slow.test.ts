import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Reconciliation } from '../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { openDatabaseAt } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import {
  createCluster,
  type PostgresServer,
  postgresTools,
  startPostgres,
} from '../support/processes/postgres-server.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { echoGraph } from '../support/run-graphs.js';
import { startSteadyLoad } from '../support/steady-load.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const PER_SECOND = 30;
/** Trigger, model and output: the ledger has a row for each. */
const NODES = 3;

const tools = postgresTools();
/** Needs PostgreSQL's own tools and about 15 seconds. */
const drill = tools !== undefined && process.env.FAULTS === 'all' ? it : it.skip;

let folder: string;
let upstream: StubUpstream;
const running = new Set<ServiceProcess>();
const servers = new Set<PostgresServer>();
beforeAll(async () => {
  upstream = await startStubUpstream();
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-backup-'));
  await chmod(folder, 0o777);
});
afterAll(async () => {
  await Promise.all([...running].map(each => each.end('SIGKILL')));
  await Promise.all([...servers].map(each => each.kill()));
  await upstream.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => path.join(folder, name);

async function startServer(name: string): Promise<PostgresServer> {
  const server = await startPostgres(tools as string, at(name));
  servers.add(server);
  return server;
}

/** An API and two workers on a database and a folder of files. */
async function startAll(database: PostgresServer, files: string): Promise<ServiceProcess> {
  const environment = {
    ...testEnvironment('unused'),
    DATABASE_URL: database.url,
    DATA_DIR: at(files),
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'k',
  };
  const api = await startProcess({ ...environment, ROLE: 'api' });
  running.add(api);
  for (let nth = 0; nth < 2; nth++) running.add(await startProcess({ ...environment, ROLE: 'worker' }));
  return api;
}

async function call(api: ServiceProcess, method: string, where: string, body?: unknown): Promise<any> {
  const json = body !== undefined && !(body instanceof FormData);
  const answer = await fetch(`${api.url}${where}`, {
    method,
    headers: { 'X-Api-Key': ADMIN_KEY, ...(json ? { 'Content-Type': 'application/json' } : {}) },
    body: json ? JSON.stringify(body) : (body as FormData | undefined),
  });
  return answer.json();
}

drill(
  'restores a base backup that was made under load: runs, ledger and files agree, and accepted runs end',
  async () => {
    await createCluster(tools as string, at('first'));
    const first = await startServer('first');
    const api = await startAll(first, 'first-files');
    const project = await call(api, 'POST', '/api/v1/projects/', { name: 'Drill' });
    const data = echoGraph('gpt-4o-mini');
    const workflow = await call(api, 'POST', '/api/v1/workflows/', { project: project.id, title: 'D', data });

    const load = startSteadyLoad(api.url, workflow.id, PER_SECOND);
    const uploaded: { id: number; content: string }[] = [];
    let isOver = false;
    const uploads = (async () => {
      while (!isOver) {
        const content = `document ${uploaded.length}`;
        const form = formOf({ project: String(project.id) }, { file1: ['a.txt', content] });
        const [document] = await call(api, 'POST', '/api/v1/documents/', form);
        uploaded.push({ id: document.id, content });
      }
    })();
    await eventually(
      async () => load.accepted.length,
      count => count >= PER_SECOND,
    );

    // The limit of 12 MB per second makes the backup take some seconds. Runs that are accepted while it copies the data
    // files must be in it.
    const backup = first.tool('pg_basebackup', ['-D', at('second'), '-c', 'fast', '-X', 'stream', '-r', '12M']);
    let isMade = false;
    void backup.finally(() => {
      isMade = true;
    });
    let runsInBackup = 0;
    let documentsInBackup = 0;
    while (!isMade) {
      // Counted before the phase is read: if files are still being copied then, the backup contains all counted ones.
      const seen = { runs: load.accepted.length, documents: uploaded.length };
      const [progress] = await first.sql('select phase from pg_stat_progress_basebackup');
      if (progress?.phase === 'streaming database files')
        [runsInBackup, documentsInBackup] = [seen.runs, seen.documents];
    }
    await backup;
    // The files are copied after the database, so that every file the database refers to exists.
    await cp(at('first-files'), at('second-files'), { recursive: true });
    isOver = true;
    await Promise.all([load.stop(), uploads]);
    expect(load.failures).toEqual([]);
    expect(runsInBackup).toBeGreaterThan(PER_SECOND);
    expect(documentsInBackup).toBeGreaterThan(0);

    await Promise.all([...running].map(each => each.end('SIGKILL')));
    await first.kill();

    const second = await startServer('second');
    const [left] = await second.sql(
      `select count(*)::int as count from workflow_run where state in ('queued', 'running')`,
    );
    const restored = await startAll(second, 'second-files');
    const states = () => second.sql('select state, count(*)::int as count from workflow_run group by state');
    await eventually(states, rows => rows.every(({ state }) => state === 'succeeded'));

    const runs = (await second.sql('select id from workflow_run')).map(({ id }) => id);
    expect(load.accepted.slice(0, runsInBackup).filter(id => !runs.includes(id))).toEqual([]);
    const billed = 'select run_id, count(*)::int as count from billing_transaction group by run_id';
    expect((await second.sql(billed)).filter(({ count }) => count !== NODES)).toEqual([]);
    expect(await second.sql(billed)).toHaveLength(runs.length);
    const database = await openDatabaseAt(second.url);
    expect(await new Reconciliation(database).differences()).toEqual([]);
    await database.close();
    for (const { id, content } of uploaded.slice(0, documentsInBackup)) {
      const { result_url } = await call(restored, 'GET', `/api/v1/documents/${id}/`);
      const file = await fetch(new URL(new URL(result_url).pathname, restored.url));
      expect([file.status, await file.text()]).toEqual([200, content]);
    }
    const line = { drill: 'backup', accepted: load.accepted.length, runsInBackup, documentsInBackup };
    console.log(JSON.stringify({ ...line, restored: runs.length, unfinishedInBackup: left.count, failed: 0 }));
  },
  300_000,
);
