import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { createDatabase } from '../support/service.js';

let bus: Bus;
let pool: pg.Pool;
beforeAll(async () => {
  const url = databaseUrl(await createDatabase());
  pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  bus = new Bus(url, createLog('silent'));
  await bus.start();
});
afterAll(async () => {
  await bus.stop();
  await pool.end();
});

const notify = (topics: string[]) => pool.query(Bus.notifySql, [Bus.payloads(topics)]);

function counter(topic: string) {
  const calls = { times: 0, end: () => {} };
  calls.end = bus.subscribe(topic, () => {
    calls.times++;
  });
  return calls;
}

it('notifies the listeners of a topic, and of no other', async () => {
  const [a, b] = [counter('a'), counter('b')];
  await notify(['a']);
  await eventually(
    async () => a.times,
    times => times === 1,
  );
  expect(b.times).toBe(0);
  a.end();
  b.end();
});

it('sends nothing for a transaction that rolled back', async () => {
  const calls = counter('rolled-back');
  const after = counter('after');
  const client = await pool.connect();
  await client.query('begin');
  await client.query(Bus.notifySql, [['rolled-back']]);
  await client.query('rollback');
  client.release();
  await notify(['after']);
  await eventually(
    async () => after.times,
    times => times === 1,
  );
  expect(calls.times).toBe(0);
  calls.end();
  after.end();
});

it('packs any number of topics into payloads that PostgreSQL accepts', async () => {
  const topics = Array.from(
    { length: 1_000 },
    (_, index) => `run:01a1fccb-9230-75ea-ba42-${String(index).padStart(12, '0')}`,
  );
  const payloads = Bus.payloads([...topics, ...topics]);
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  expect(payloads.flatMap(payload => payload.split('\n'))).toEqual(topics);
  const last = counter(topics.at(-1) as string);
  await notify(topics);
  await eventually(
    async () => last.times,
    times => times === 1,
  );
  last.end();
});

it('connects again after its connection is lost, and then calls all watchers but no subscribers', async () => {
  const calls = counter('survivor');
  let rereads = 0;
  const unwatch = bus.watch('state', () => {
    rereads++;
  });
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
  );
  await eventually(
    async () => rereads,
    count => count >= 1,
  );
  expect(calls.times).toBe(0);
  await notify(['survivor']);
  await eventually(
    async () => calls.times,
    times => times === 1,
  );
  unwatch();
  calls.end();
});
