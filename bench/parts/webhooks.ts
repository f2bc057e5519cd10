import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from '../bench.js';
import { median } from '../load/measurements.js';
import { ADMIN_KEY, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

/** Milliseconds until a receiver responds. */
const ANSWER_MS = 200;
/** Number of projects whose receivers accept connections and never respond. */
const DEAD = 10;
/** Number of deliveries of the measured project. */
const BACKLOG = 2_000;

/**
 * Measures how fast one process sends the backlog of one project, without and with projects whose receivers never
 * respond.
 */
export async function benchWebhooks(bench: Bench): Promise<Figure[]> {
  const receiver = await startReceiver();
  const database = await bench.databases.create();
  const pool = new pg.Pool({ connectionString: database, max: 2 });
  const service = await startService(database, bench.databases.folder, { OUTBOUND_ALLOW: '127.0.0.1' });
  try {
    const count = bench.isSmoke ? 20 : BACKLOG;
    const withoutOthers: number[] = [];
    const withOthers: number[] = [];
    const drain = async () => {
      const project = await createProject(service.url, `${receiver.url}/slow`);
      const began = performance.now();
      await fill(pool, project, `${receiver.url}/slow`, count);
      await startDeliveries(service.url, project);
      while ((await countPending(pool, project)) > 0) await sleep(50);
      return count / ((performance.now() - began) / 1000);
    };
    for (let round = 0; round < bench.rounds; round++) {
      bench.log(`webhooks: round ${round + 1}`);
      withoutOthers.push(await drain());
    }
    for (let dead = 0; dead < DEAD; dead++)
      await fill(pool, await createProject(service.url, `${receiver.url}/dead`), `${receiver.url}/dead`, count);
    for (let round = 0; round < bench.rounds; round++) {
      bench.log(`webhooks: round ${round + 1} with ${DEAD} silent receivers`);
      withOthers.push(await drain());
    }
    return [
      figureOf({
        bench: 'webhooks',
        what: `${count} deliveries of one project, ${ANSWER_MS} ms receiver, ${DEAD} projects with silent receivers`,
        measure: 'deliveries/s',
        ours: median(withOthers),
        comparison: 'the same without silent receivers',
        theirs: median(withoutOthers),
      }),
    ];
  } finally {
    await service.stop();
    await pool.end();
    await receiver.stop();
  }
}

async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/slow') setTimeout(() => response.writeHead(204).end(), ANSWER_MS);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function createProject(url: string, webhookUrl: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/projects/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': ADMIN_KEY },
    body: JSON.stringify({ name: 'Webhooks', webhook_url: webhookUrl, is_webhook_enabled: true }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { id: number }).id;
}

/** Sends a test webhook. Its notification also starts the deliveries that `fill` has inserted without one. */
async function startDeliveries(url: string, project: number): Promise<void> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': ADMIN_KEY },
    body: JSON.stringify({ query: `mutation { webhookTest(projectId: ${project}) { webhookDelivery { id } } }` }),
  });
  const text = await answer.text();
  if (!text.includes('"id"')) throw new Error(text);
}

/** Inserts overdue deliveries, as runs would have written them. */
async function fill(pool: pg.Pool, project: number, url: string, count: number): Promise<void> {
  await pool.query(
    `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, next_at)
     select gen_random_uuid(), $1, $2, true, 'test', '{"type": "test", "timestamp": "", "data": {}}', now() - interval '1 minute'
       from generate_series(1, $3)`,
    [project, url, count],
  );
}

async function countPending(pool: pg.Pool, project: number): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as count from webhook_delivery where project_id = $1 and state = 'pending'`,
    [project],
  );
  return rows[0].count;
}
