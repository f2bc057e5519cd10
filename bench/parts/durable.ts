import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { chain, edge, graph, http, output, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { type DurableService, KINDS, type Kind, startDbos, startRestate } from '../comparisons/durable-peers.js';
import { skipPeer } from '../comparisons/peers.js';
import { load, once } from '../load/load.js';
import { measureInRounds, median, warmUp } from '../load/measurements.js';
import { awaitEnd, makeWorkflow, restPoll, restStart } from '../load/run-calls.js';
import { cpuSeconds, residentMib } from '../processes/process-costs.js';
import { type StartedProcess, startScript, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 50;
const POLL_MS = 5;
/** Runs of one client in a round. */
const TIMES = 30;
const TITLES: Record<Kind, string> = {
  none: 'no call',
  one: 'one call',
  sequence: 'five calls in sequence',
  parallel: 'ten calls in parallel',
};

/**
 * Measurements under load. CPU time, commits, write-ahead log and stored size are per run; the last three are NaN for a
 * service with its own store.
 */
interface Costs {
  perSecond: number;
  /** Milliseconds of CPU time: of the service and of PostgreSQL. */
  cpuMs: number;
  commits: number;
  walKib: number;
  storedKib: number;
  /** Resident memory under load, with the connections of its database. */
  memoryMib: number;
}

/** The PostgreSQL server: its postmaster and a connection of the benchmark. */
interface Server {
  pool: pg.Pool;
  postmaster: number;
}

/** Compares durable runs with DBOS and Restate: runs and costs with 50 clients, and latency with one client. */
export async function benchDurable(bench: Bench): Promise<Figure[]> {
  const { databases } = bench;
  const database = await databases.create();
  const server = await openServer(database);
  const running: DurableService[] = [];
  let stub: StartedProcess | undefined;
  try {
    stub = await startScript('load/stub-upstream');
    running.push(await startOurs(database, databases.folder, `${stub.url}/`));
    if (!bench.isSmoke) {
      const dbos = await startDbos(await databases.create(), stub.url).catch(skipPeer(bench, 'durable', 'DBOS'));
      const restate = await startRestate(stub.url).catch(skipPeer(bench, 'durable', 'Restate'));
      running.push(...[dbos, restate].filter(one => one !== undefined));
    }
    const figures: Figure[] = [];
    for (const kind of KINDS) figures.push(...(await compare(bench, server, running, kind)));
    return figures;
  } finally {
    await server.pool.end();
    for (const one of running.toReversed()) await one.stop();
    await stub?.stop();
  }
}

async function compare(bench: Bench, server: Server, running: DurableService[], kind: Kind): Promise<Figure[]> {
  bench.log(`durable: ${TITLES[kind]}`);
  const options = { clients: bench.isSmoke ? 2 : CLIENTS, ms: bench.roundMs };
  const eachService = <T>(work: (service: DurableService) => Promise<T>) =>
    Object.fromEntries(running.map(service => [service.name, () => work(service)]));
  if (!bench.isSmoke) for (const service of running) await warmUp(() => measureCosts(server, service, kind, options));
  const loaded = await measureInRounds(
    eachService(service => measureCosts(server, service, kind, options)),
    bench.rounds,
  );
  const single = await measureInRounds(
    eachService(service => measureLatency(service, kind, bench.isSmoke ? 1 : TIMES)),
    bench.rounds,
  );
  const figures: Figure[] = [];
  const add = (what: string, measure: string, read: (name: string) => number) => {
    for (const { name } of running.slice(1))
      if (Number.isFinite(read(name)))
        figures.push(
          figureOf({
            ...{ bench: 'durable', what: `${TITLES[kind]}, ${what}`, measure },
            ...{ ours: read('ours'), comparison: name, theirs: read(name) },
          }),
        );
    if (running.length === 1) bench.note(`durable: ${TITLES[kind]}, ${what}: ${read('ours').toFixed(2)} ${measure}`);
  };
  const medianOf = (member: keyof Costs) => (name: string) => median(loaded[name]!.map(each => each[member]));
  add(`${options.clients} clients`, 'runs/s', medianOf('perSecond'));
  add('CPU of a run', 'ms', medianOf('cpuMs'));
  add('commits of a run', 'commits', medianOf('commits'));
  add('write-ahead log of a run', 'KiB', medianOf('walKib'));
  add('stored by a run', 'KiB', medianOf('storedKib'));
  add('memory under load', 'MiB', medianOf('memoryMib'));
  add('1 client, accept → end by poll', 'p50, ms', name => median(single[name]!));
  return figures;
}

async function measureCosts(
  { pool, postmaster }: Server,
  service: DurableService,
  kind: Kind,
  options: { clients: number; ms: number },
): Promise<Costs> {
  // The pool of a service that uses PostgreSQL.
  const servicePool =
    service.database === undefined ? undefined : new pg.Pool({ connectionString: service.database, max: 1 });
  const readUsage = async () => ({
    cpu: await cpuSeconds(servicePool ? [...service.pids, postmaster] : service.pids),
    wal: servicePool ? await readWalBytes(pool) : Number.NaN,
    ...(servicePool ? await readDatabaseUsage(servicePool) : { bytes: Number.NaN, commits: Number.NaN }),
  });
  try {
    await servicePool?.query('checkpoint');
    const before = await readUsage();
    const started = performance.now();
    const { status, ...call } = service.start(kind);
    const accepting = await load(call, { ...options, ...(status === undefined ? {} : { status }) });
    const runs = accepting.requests;
    const memoryMib = await residentMib([...service.pids, ...(servicePool ? await findBackendPids(servicePool) : [])]);
    while ((await service.unfinished()) > 0) await delay(POLL_MS);
    const seconds = (performance.now() - started) / 1000;
    const after = await readUsage();
    const perRun = (member: 'cpu' | 'wal' | 'bytes' | 'commits') => (after[member] - before[member]) / runs;
    return {
      perSecond: runs / seconds,
      cpuMs: perRun('cpu') * 1000,
      commits: perRun('commits'),
      walKib: perRun('wal') / 1024,
      storedKib: perRun('bytes') / 1024,
      memoryMib,
    };
  } finally {
    await servicePool?.end();
  }
}

/** Returns the median of the milliseconds from the start request until polling reads the end of the run. */
async function measureLatency(service: DurableService, kind: Kind, times: number): Promise<number> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) {
    const { status, ...call } = service.start(kind);
    const sent = performance.now();
    await awaitEnd(service, service.idOf((await once(call, status)).body));
    all.push(performance.now() - sent);
  }
  return median(all);
}

async function startOurs(database: string, folder: string, calledUrl: string): Promise<DurableService> {
  const { url, pid, stop } = await startService(database, folder);
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  const ids = new Map<Kind, number>();
  for (const kind of KINDS) ids.set(kind, await makeWorkflow(url, graphOf(kind, calledUrl)));
  return {
    name: 'ours',
    pids: [pid ?? 0],
    database,
    start: kind => restStart(url, ids.get(kind)!),
    async unfinished() {
      const text = `select count(*)::int as runs from workflow_run where state in ('queued', 'running')`;
      return (await pool.query<{ runs: number }>(text)).rows[0]!.runs;
    },
    ...restPoll(url),
    async stop() {
      await pool.end();
      await stop();
    },
  };
}

function graphOf(kind: Kind, calledUrl: string) {
  const call = () => http(calledUrl, { method: 'GET' });
  if (kind === 'none') return chain(trigger(), output());
  if (kind === 'one') return chain(trigger(), call(), output());
  if (kind === 'sequence') return chain(trigger(), call(), call(), call(), call(), call(), output());
  const [start, end] = [trigger(), output()];
  const calls = Array.from({ length: 10 }, call);
  return graph(
    [start, ...calls, end],
    calls.flatMap(each => [edge(start, each), edge(each, end)]),
  );
}

async function openServer(database: string): Promise<Server> {
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  const { rows } = await pool.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
  );
  return { pool, postmaster: rows[0]!.pid };
}

async function readWalBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ wal: string }>(`select wal_bytes as wal from pg_stat_wal`);
  return Number(rows[0]!.wal);
}

async function readDatabaseUsage(pool: pg.Pool): Promise<{ bytes: number; commits: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ bytes: string; commits: string }>(
    `select pg_database_size(datname) as bytes, xact_commit as commits from pg_stat_database where datname = current_database()`,
  );
  return { bytes: Number(rows[0]!.bytes), commits: Number(rows[0]!.commits) };
}

async function findBackendPids(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}
