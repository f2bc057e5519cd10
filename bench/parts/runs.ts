import pg from 'pg';
import type { Bench } from '../bench.js';
import { type N8n, startN8n } from '../comparisons/n8n.js';
import { skipPeer } from '../comparisons/peers.js';
import { inRounds, median } from '../load/clock.js';
import { type Load, load } from '../load/load.js';
import { graphqlStart, makeWorkflow, pureGraph, restStart, runsPerSecond } from '../load/run-calls.js';
import { memoryMib, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = [1, 10, 50, 200];
/** The number of clients of the comparison. */
const INSERTERS = 20;
const WARM_UP = { clients: 20, ms: 1_500 };

interface Place {
  pool: pg.Pool;
  processes: StartedProcess[];
  url: string;
  workflow: number;
}

/**
 * Compares runs per second (accepted over HTTP, executed and readable), by REST and by GraphQL, in one process and
 * with a separate worker, with committed inserts of one row and with n8n.
 */
export async function runs(bench: Bench): Promise<Figure[]> {
  const places: Place[] = [];
  let n8n: N8n | undefined;
  try {
    const one = await open(bench, ['all']);
    places.push(one);
    const two = await open(bench, ['api', 'worker']);
    places.push(two);
    await one.pool.query(
      'create table bench_row (id bigserial primary key, at timestamptz not null default now(), said text)',
    );
    const idleMib = memoryMib(one.processes);
    n8n = bench.isSmoke ? undefined : await startN8n().catch(skipPeer(bench, 'runs', 'n8n'));
    const n8nIdleMib = n8n && memoryMib([n8n]);
    const calls = {
      'REST, one process': { place: one, start: restStart(one.url, one.workflow) },
      'GraphQL, one process': { place: one, start: graphqlStart(one.url, one.workflow) },
      'REST, separate worker': { place: two, start: restStart(two.url, two.workflow) },
    };
    if (!bench.isSmoke)
      for (const { place, start } of Object.values(calls)) await runsPerSecond(place.pool, start, WARM_UP);

    const figures: Figure[] = [];
    const of = (what: string, measure: string, ours: number, comparison: string, theirs: number) =>
      figures.push(figureOf({ bench: 'runs', what, measure, ours, comparison, theirs }));
    for (const clients of bench.isSmoke ? [2] : CLIENTS) {
      bench.log(`runs: ${clients} clients`);
      const options = { clients, ms: bench.roundMs };
      const accepting = new Map<string, Load[]>();
      const implementations: Record<string, () => Promise<number>> = {
        inserts: () => insertsPerSecond(one.pool, { clients: INSERTERS, ms: bench.roundMs }),
      };
      const { run, accept } = n8n ?? {};
      if (run) implementations.n8n = async () => (await load(run, options)).perSecond;
      if (accept && clients === 1) implementations['n8n, accepting'] = async () => (await load(accept, options)).p50Ms;
      for (const [name, { place, start }] of Object.entries(calls))
        implementations[name] = async () => {
          const measured = await runsPerSecond(place.pool, start, options);
          accepting.set(name, [...(accepting.get(name) ?? []), measured.accepting]);
          return measured.perSecond;
        };
      const measured = await inRounds(implementations, bench.rounds);
      const inserts = median(measured.inserts!);
      const comparison = `one-row commits/s, ${INSERTERS} clients`;
      for (const name of Object.keys(calls))
        of(`${clients} clients, ${name}`, 'runs/s', median(measured[name]!), comparison, inserts);
      if (measured.n8n)
        of(
          `${clients} clients, REST, one process`,
          'runs/s',
          median(measured['REST, one process']!),
          'n8n',
          median(measured.n8n),
        );
      for (const [name, loads] of accepting) {
        const what = `${clients} clients, accepting by ${name}`;
        const p50 = median(loads.map(one => one.p50Ms));
        of(what, 'p99, ms', median(loads.map(one => one.p99Ms)), 'its p50', p50);
        if (measured['n8n, accepting'] && name === 'REST, one process')
          of(what, 'p50, ms', p50, 'n8n, answering at once', median(measured['n8n, accepting']));
      }
    }
    if (n8n && n8nIdleMib !== undefined) {
      of('memory before, one process', 'MiB', idleMib, 'n8n', n8nIdleMib);
      of('memory after all of it, one process', 'MiB', memoryMib(one.processes), 'n8n', memoryMib([n8n]));
    }
    of('memory after all of it, one process', 'MiB', memoryMib(one.processes), 'idle', idleMib);
    return figures;
  } finally {
    await n8n?.stop();
    for (const { pool, processes } of places) {
      await pool.end();
      for (const one of processes.toReversed()) await one.stop();
    }
  }
}

/** A service with these roles on its own database. */
async function open({ databases }: Bench, roles: readonly ('all' | 'api' | 'worker')[]): Promise<Place> {
  const database = await databases.create();
  const processes: StartedProcess[] = [];
  const pool = new pg.Pool({ connectionString: database, max: INSERTERS });
  try {
    for (const ROLE of roles) processes.push(await startService(database, databases.folder, { ROLE }));
    const { url } = processes[0]!;
    return { pool, processes, url, workflow: await makeWorkflow(url, pureGraph()) };
  } catch (error) {
    await pool.end();
    for (const one of processes) await one.stop();
    throw error;
  }
}

async function insertsPerSecond(pool: pg.Pool, { clients, ms }: { clients: number; ms: number }): Promise<number> {
  const started = performance.now();
  let inserted = 0;
  const insert = async () => {
    do {
      await pool.query({ name: 'insert', text: 'insert into bench_row (said) values ($1)', values: ['something'] });
      inserted++;
    } while (performance.now() - started < ms);
  };
  await Promise.all(Array.from({ length: clients }, insert));
  return (inserted / (performance.now() - started)) * 1000;
}
