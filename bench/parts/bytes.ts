import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { chain, field, http as httpNode, llm, output, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { once } from '../load/load.js';
import { HEADERS } from '../load/run-calls.js';
import { type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const WARM_UP_RUNS = 1_000;
const RUNS = 5_000;
const CLIENTS = 20;
/** The goal: the maximum size of one run in KiB, in the database and in the write-ahead log. */
const MAX_KIB = { stored: 4.5, wal: 10 };
const KIB = 1_024;

const UNFINISHED = `
  select (select count(*) from workflow_run where run_finished_at is null)::int
       + (select count(*) from webhook_delivery where state = 'pending')::int as count`;

// All tables and indexes; partitions count for their parent, TOAST data for its table.
const SIZES = `
  select coalesce(regexp_replace(t.relname, '_(\\d{4}_\\d{2}|default)$', ''), '') as "table",
         case when c.oid = t.oid then 'rows' else regexp_replace(c.relname, '_\\d{4}_\\d{2}', '') end as part,
         sum(case when c.oid = t.oid then pg_table_size(c.oid) else pg_relation_size(c.oid) end)::bigint as bytes
    from pg_class t
    join pg_class c on c.oid = t.oid or c.oid in (select indexrelid from pg_index where indrelid = t.oid)
   where t.relkind = 'r' and t.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
   group by 1, 2`;

/**
 * Measures the size of a run (trigger → LLM → HTTP → output, with key and webhook) in the database and in the
 * write-ahead log.
 */
export async function benchBytes(bench: Bench): Promise<Figure[]> {
  const runs = bench.isSmoke ? 20 : RUNS;
  const upstream = await startUpstream();
  const database = await bench.databases.create();
  const pool = new pg.Pool({ connectionString: database, max: 2 });
  let service: StartedProcess | undefined;
  try {
    const environment = { OPENAI_BASE_URL: `${upstream.origin}/v1`, OPENAI_API_KEY: 'k' };
    service = await startService(database, bench.databases.folder, environment);
    const workflow = await makeWorkflow(service.url, upstream.origin);
    const start = (count: number) => startRuns(pool, `${service!.url}/api/v1/workflows/${workflow}/run/`, count);
    bench.log(`bytes: ${runs} runs`);
    if (!bench.isSmoke) await start(WARM_UP_RUNS);
    // The embedded PostgreSQL starts the next automatic checkpoint after 15 minutes, so each page is logged completely at most
    // once.
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
    const before = await measure(pool);
    await start(runs);
    const after = await measure(pool);
    const stored = [...after.sizes]
      .map(([name, size]) => ({ name, perRun: (size - (before.sizes.get(name) ?? 0)) / runs }))
      .filter(({ perRun }) => perRun >= 1)
      .toSorted((a, b) => b.perRun - a.perRun);
    for (const { name, perRun } of stored) bench.note(`bytes: ${name}: ${perRun.toFixed(0)} bytes per run`);
    const pages = (after.pages - before.pages) / runs;
    bench.note(`bytes: ${pages.toFixed(2)} full-page images per run`);
    const toFigure = (what: string, ours: number, theirs: number) =>
      figureOf({ bench: 'bytes', what, measure: 'KiB per run', ours: ours / KIB, comparison: 'goal, at most', theirs });
    return [
      toFigure(
        'stored, with indexes',
        stored.reduce((sum, { perRun }) => sum + perRun, 0),
        MAX_KIB.stored,
      ),
      toFigure('write-ahead log', (after.wal - before.wal) / runs, MAX_KIB.wal),
    ];
  } finally {
    await pool.end();
    await service?.stop();
    await upstream.stop();
  }
}

async function measure(pool: pg.Pool): Promise<{ wal: number; pages: number; sizes: Map<string, number> }> {
  const { rows: sizes } = await pool.query<{ table: string; part: string; bytes: string }>(SIZES);
  const { rows } = await pool.query<{ wal: string; pages: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, wal_fpi as pages from pg_stat_wal`,
  );
  return {
    wal: Number(rows[0]!.wal),
    pages: Number(rows[0]!.pages),
    sizes: new Map(sizes.map(row => [`${row.table}, ${row.part}`, Number(row.bytes)])),
  };
}

/** Resolves when the runs have ended and their webhooks are delivered. */
async function startRuns(pool: pg.Pool, url: string, count: number): Promise<void> {
  let remaining = count;
  const client = async () => {
    while (remaining-- > 0) {
      const headers = { ...HEADERS, 'Idempotency-Key': randomUUID() };
      const body = JSON.stringify({ topic: 'tea' });
      const response = await fetch(url, { method: 'POST', headers, body });
      if (response.status !== 200) {
        const { status } = response;
        throw new Error(`starting a run returned status ${status}, expected 200: ${await response.text()}`);
      }
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  while ((await pool.query<{ count: number }>(UNFINISHED)).rows[0]!.count > 0) await delay(50);
  const { rows } = await pool.query(`select count(*)::int as count from workflow_run where state <> 'succeeded'`);
  if (rows[0].count > 0) throw new Error(`${rows[0].count} runs did not succeed`);
}

async function makeWorkflow(origin: string, upstream: string): Promise<number> {
  const make = async (path: string, body: unknown) => {
    const call = { url: `${origin}${path}`, method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    return (JSON.parse((await once(call, 201)).body) as { id: number }).id;
  };
  const hook = { webhook_url: `${upstream}/webhook`, is_webhook_enabled: true };
  const project = await make('/api/v1/projects/', { name: 'Bytes', ...hook });
  const call = httpNode(`${upstream}/service`, { method: 'POST', body: { text: '{{ previous.content }}' } });
  const model = llm('Write about {{ input.topic }}', 'gpt-4o-mini');
  const data = chain(trigger(field('topic')), model, call, output('{{ previous.content }}'));
  return make('/api/v1/workflows/', { project, title: 'Bytes', data });
}

/** A provider, a service and a webhook receiver with small responses. */
async function startUpstream(): Promise<{ origin: string; stop(): Promise<void> }> {
  const completion = JSON.stringify({
    ...{ id: 'chatcmpl-bytes', object: 'chat.completion', created: 1_700_000_000, model: 'gpt-4o-mini' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'An answer of few words.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 120, total_tokens: 220 },
  });
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const isModel = request.url?.endsWith('/chat/completions');
      response.setHeader('Content-Type', 'application/json').end(isModel ? completion : '{"done":true}');
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
