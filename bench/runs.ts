import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { chain, output, template, trigger } from '../test/support/graphs.js';
import type { Bench } from './bench.js';
import { inRounds, median } from './clock.js';
import type { HttpCall } from './keep-alive-client.js';
import { load, once } from './load.js';
import { ADMIN_KEY, startService } from './processes.js';
import { type Figure, figureOf } from './report.js';

const CLIENTS = [10, 50];
const POLL_MS = 5;
const ALIVE = `select 1 from workflow_run where state in ('queued', 'running') limit 1`;
const HEADERS = { 'Content-Type': 'application/json', 'X-Api-Key': ADMIN_KEY };

/** Four nodes, none of which waits for somebody else. */
const GRAPH = chain(trigger(), template('One.'), template('{{ previous.content }} Two.'), output());

/** Runs accepted, executed and readable in a second, beside committed inserts of one row in the same database. */
export async function runs(bench: Bench): Promise<Figure[]> {
  const url = await bench.databases.create();
  const service = await startService(url, bench.databases.folder);
  const pool = new pg.Pool({ connectionString: url, max: Math.max(...CLIENTS) });
  try {
    await pool.query(
      'create table bench_row (id bigserial primary key, at timestamptz not null default now(), said text)',
    );
    const start = await startCall(service.url);
    await runsPerSecond(pool, start, { clients: 10, ms: bench.roundMs });
    const figures: Figure[] = [];
    for (const clients of bench.isSmoke ? [2] : CLIENTS) {
      bench.say(`runs: ${clients} clients`);
      const options = { clients, ms: bench.roundMs };
      const measured = await inRounds(
        { runs: () => runsPerSecond(pool, start, options), inserts: () => insertsPerSecond(pool, options) },
        bench.rounds,
      );
      const [ours, theirs] = [median(measured.runs), median(measured.inserts)];
      const what = `${clients} clients`;
      figures.push(figureOf({ bench: 'runs', what, measure: 'runs/s', ours, beside: 'one-row commits/s', theirs }));
    }
    return figures;
  } finally {
    await pool.end();
    await service.stop();
  }
}

interface Options {
  clients: number;
  ms: number;
}

/** From the first request until the last run that was accepted has ended. */
async function runsPerSecond(pool: pg.Pool, start: HttpCall, options: Options): Promise<number> {
  const ended = async () => {
    const { rows } = await pool.query('select state, count(*)::int as runs from workflow_run group by state');
    const failed = rows.filter(row => row.state !== 'succeeded');
    if (failed.length > 0) throw new Error(`not every run succeeded: ${JSON.stringify(failed)}`);
    return (rows[0]?.runs ?? 0) as number;
  };
  const before = await ended();
  const started = performance.now();
  await load(start, options);
  while ((await pool.query(ALIVE)).rows.length > 0) await delay(POLL_MS);
  const seconds = (performance.now() - started) / 1000;
  return ((await ended()) - before) / seconds;
}

async function insertsPerSecond(pool: pg.Pool, { clients, ms }: Options): Promise<number> {
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

/** A workflow of its own; answers the call that starts a run of it. */
async function startCall(origin: string): Promise<HttpCall> {
  const make = async (path: string, body: unknown) => {
    const call = { url: `${origin}${path}`, method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    return JSON.parse((await once(call, 201)).body) as { id: number };
  };
  const { id: project } = await make('/api/v1/projects/', { name: 'Bench' });
  const { id } = await make('/api/v1/workflows/', { project, title: 'Bench', data: GRAPH });
  return { url: `${origin}/api/v1/workflows/${id}/run/`, method: 'POST', headers: HEADERS, body: '{}' };
}
