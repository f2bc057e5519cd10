import pg from 'pg';
import type { Bench } from '../bench.js';
import { type N8n, startN8n } from '../comparisons/n8n.js';
import { skipPeer } from '../comparisons/peers.js';
import { type Load, load } from '../load/load.js';
import { measureInRounds, median, WARM_UP } from '../load/measurements.js';
import { graphqlStart, makeWorkflow, pureGraph, restStart, runsPerSecond } from '../load/run-calls.js';
import { memoryMib, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = [1, 10, 50, 200];
/** The number of clients of the comparison. */
const INSERTERS = 20;

/** A service with its own database, and a workflow without external calls. */
interface BenchService {
  pool: pg.Pool;
  processes: StartedProcess[];
  url: string;
  workflow: number;
}

/**
 * Measures runs per second (accepted over HTTP, executed and readable), the latency of acceptance, and memory: for REST
 * and GraphQL, and for one process and a separate worker. Compares them with n8n, and the runs per second also with
 * committed inserts of one row.
 */
export async function benchRuns(bench: Bench): Promise<Figure[]> {
  const services: BenchService[] = [];
  let n8n: N8n | undefined;
  try {
    const single = await startBenchService(bench, ['all']);
    services.push(single);
    const separate = await startBenchService(bench, ['api', 'worker']);
    services.push(separate);
    await single.pool.query(
      'create table bench_row (id bigserial primary key, at timestamptz not null default now(), text text)',
    );
    const idleMib = memoryMib(single.processes);
    n8n = bench.isSmoke ? undefined : await startN8n(bench.databases, 'fastest').catch(skipPeer(bench, 'runs', 'n8n'));
    const n8nIdleMib = n8n && memoryMib([n8n]);
    const calls = {
      'REST, one process': { service: single, start: restStart(single.url, single.workflow) },
      'GraphQL, one process': { service: single, start: graphqlStart(single.url, single.workflow) },
      'REST, separate worker': { service: separate, start: restStart(separate.url, separate.workflow) },
    };
    if (!bench.isSmoke)
      for (const { service, start } of Object.values(calls)) await runsPerSecond(service.pool, start, WARM_UP);
    if (n8n) await load(n8n.run, WARM_UP);

    const figures: Figure[] = [];
    const addFigure = (what: string, measure: string, ours: number, comparison: string, theirs: number) =>
      figures.push(figureOf({ bench: 'runs', what, measure, ours, comparison, theirs }));
    for (const clients of bench.isSmoke ? [2] : CLIENTS) {
      bench.log(`runs: ${clients} clients`);
      const options = { clients, ms: bench.roundMs };
      const accepting = new Map<string, Load[]>();
      const candidates: Record<string, () => Promise<number>> = {
        inserts: () => insertsPerSecond(single.pool, { clients: INSERTERS, ms: bench.roundMs }),
      };
      const { run, accept } = n8n ?? {};
      if (run) candidates.n8n = async () => (await load(run, options)).perSecond;
      if (accept && clients === 1) candidates['n8n, accepting'] = async () => (await load(accept, options)).p50Ms;
      for (const [name, { service, start }] of Object.entries(calls))
        candidates[name] = async () => {
          const measured = await runsPerSecond(service.pool, start, options);
          accepting.set(name, [...(accepting.get(name) ?? []), measured.accepting]);
          return measured.perSecond;
        };
      const measured = await measureInRounds(candidates, bench.rounds);
      const inserts = median(measured.inserts!);
      const comparison = `one-row commits/s, ${INSERTERS} clients`;
      for (const name of Object.keys(calls))
        addFigure(`${clients} clients, ${name}`, 'runs/s', median(measured[name]!), comparison, inserts);
      if (measured.n8n)
        addFigure(
          `${clients} clients, REST, one process`,
          'runs/s',
          median(measured['REST, one process']!),
          'n8n, fastest engine',
          median(measured.n8n),
        );
      for (const [name, loads] of accepting) {
        const what = `${clients} clients, accepting by ${name}`;
        const p50 = median(loads.map(({ p50Ms }) => p50Ms));
        addFigure(what, 'p99, ms', median(loads.map(({ p99Ms }) => p99Ms)), 'p50 of the same requests', p50);
        if (measured['n8n, accepting'] && name === 'REST, one process')
          addFigure(what, 'p50, ms', p50, 'n8n, answering at once', median(measured['n8n, accepting']));
      }
    }
    if (n8n && n8nIdleMib !== undefined) {
      addFigure('idle memory, one process', 'MiB', idleMib, 'n8n', n8nIdleMib);
      addFigure('memory after the load, one process', 'MiB', memoryMib(single.processes), 'n8n', memoryMib([n8n]));
    }
    addFigure('memory after the load, one process', 'MiB', memoryMib(single.processes), 'idle', idleMib);
    return figures;
  } finally {
    await n8n?.stop();
    for (const { pool, processes } of services) {
      await pool.end();
      for (const process of processes.toReversed()) await process.stop();
    }
  }
}

/** Starts a service with a process for each of these roles. */
async function startBenchService(
  { databases }: Bench,
  roles: readonly ('all' | 'api' | 'worker')[],
): Promise<BenchService> {
  const database = await databases.create();
  const processes: StartedProcess[] = [];
  const pool = new pg.Pool({ connectionString: database, max: INSERTERS });
  try {
    for (const ROLE of roles) processes.push(await startService(database, databases.folder, { ROLE }));
    const { url } = processes[0]!;
    return { pool, processes, url, workflow: await makeWorkflow(url, pureGraph()) };
  } catch (error) {
    await pool.end();
    for (const process of processes) await process.stop();
    throw error;
  }
}

async function insertsPerSecond(pool: pg.Pool, { clients, ms }: { clients: number; ms: number }): Promise<number> {
  const started = performance.now();
  let inserted = 0;
  const insert = async () => {
    do {
      await pool.query({ name: 'insert', text: 'insert into bench_row (text) values ($1)', values: ['something'] });
      inserted++;
    } while (performance.now() - started < ms);
  };
  await Promise.all(Array.from({ length: clients }, insert));
  return (inserted / (performance.now() - started)) * 1000;
}
