import { readdir } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { differences } from '../checker.js';
import { request } from '../client.js';
import { Fleet } from '../fleet.js';
import { ADMIN_KEY, type Context, type Ground, layGround } from '../ground.js';
import { type Outcome, percentile } from '../outcome.js';

const ROUNDS = 30;
const CALLERS = 8;
/** A kill may take the entries of the answers of its last moment along (docs/guarantees.md); the machine may be slow. */
const LAST_MOMENT_MS = 500;
const REFUSED_MS = 4_000;
const PATIENCE_MS = 120_000;
const PRICE_OF_A_TOKEN = 0.15e-6;

interface PaidAnswer {
  /** The number of its call, which the upstream reports as its tokens. */
  nth: number;
  url: string;
  at: number;
}

/** Each way in which the database refuses the ledger while it answers everything else. */
const REFUSALS: Record<string, (ground: Ground) => Promise<() => Promise<unknown>>> = {
  async '25006 (read-only)'(ground) {
    const admin = await connect(ground);
    const set = async (value: string) => {
      await admin.query(`alter system set default_transaction_read_only = ${value}`);
      await admin.query('select pg_reload_conf()');
    };
    await set('on');
    return async () => {
      await set('off');
      await admin.end();
    };
  },
  async '57014 (canceled)'(ground) {
    await ground.sql(`insert into refusal values ('57014')`);
    return () => ground.sql('truncate refusal');
  },
  async '55P03 (locked)'(ground) {
    const locker = await connect(ground);
    await locker.query(`alter system set lock_timeout = '300ms'`);
    await locker.query('select pg_reload_conf()');
    await locker.query('begin; lock table billing_transaction in exclusive mode');
    return async () => {
      await locker.query('rollback');
      await locker.query('alter system reset lock_timeout');
      await locker.query('select pg_reload_conf()');
      await locker.end();
    };
  },
};

/** Chat completions while the ledger is refused, with APIs killed meanwhile: each answer is on the ledger once. */
export async function paidAnswers(context: Context): Promise<Outcome> {
  const rounds = context.scaled(ROUNDS, 3);
  const ground = await layGround(context);
  const upstream = await startNumberedUpstream();
  const environment = { ...ground.environment, OPENAI_BASE_URL: `${upstream.origin}/v1`, ROLE: 'api' };
  const apis = new Fleet({ environment }, 2);
  const answers: PaidAnswer[] = [];
  const kills = new Map<string, number>();
  const drained: number[] = [];
  const failures: string[] = [];
  let refused = 0;
  let isOver = false;
  const call = async () => {
    while (!isOver) {
      const [url] = ground.random.chance(0.5) ? apis.urls : apis.urls.toReversed();
      const nth = url === undefined ? undefined : await complete(url).catch(() => undefined);
      if (nth === undefined) refused++;
      if (url === undefined || nth === undefined) await delay(50);
      else answers.push({ nth, url, at: Date.now() });
    }
  };
  try {
    await apis.start();
    await createRefusal(ground);
    const callers = Array.from({ length: CALLERS }, call);
    for (let round = 0; round < rounds && !context.isLate(); round++) {
      const [name, refuse] = ground.random.pick(Object.entries(REFUSALS));
      const accept = await refuse(ground);
      await delay(ground.random.between(0, REFUSED_MS));
      const [victim] = apis.alive;
      if (victim && ground.random.chance(0.7)) {
        await victim.end('SIGKILL');
        kills.set(victim.url, Date.now());
      }
      await delay(ground.random.between(0, REFUSED_MS));
      await accept();
      const returnedAt = Date.now();
      await delay(ground.random.between(0, 2_000));
      await apis.whole();
      context.say(`${round + 1} × refused, the last with ${name}; ${answers.length} answers, ${kills.size} killed`);
      drained.push(Date.now() - returnedAt);
    }
    isOver = true;
    await Promise.all(callers);
    if (!(await isDrained(ground))) failures.push('the spool was not written');
    const rows = await ground.sql<{ nth: number; usd: string }>(
      `select (usage->0->>'promptTokens')::int as nth, amount_usd::text as usd from billing_transaction`,
    );
    const count = Map.groupBy(rows, row => row.nth);
    const isLastMoment = ({ url, at }: PaidAnswer) =>
      at > (kills.get(url) ?? Number.POSITIVE_INFINITY) - LAST_MOMENT_MS;
    const missing = answers.filter(answer => !count.has(answer.nth));
    const doubled = [...count.values()].filter(same => same.length > 1);
    for (const { nth, usd } of rows)
      if (Math.abs(Number(usd) - nth * PRICE_OF_A_TOKEN) > 1e-12) failures.push(`call ${nth} costs ${usd}`);
    for (const { subject, is, shouldBe } of await differences(ground))
      failures.push(`${subject}: is ${is}, should be ${shouldBe}`);
    const lost = missing.filter(answer => !isLastMoment(answer));
    return {
      procedure: 'paid-answers',
      fault: `the ledger refused ${rounds} × (25006, 57014, 55P03) under chat completions, ${kills.size} × SIGKILL`,
      runs: answers.length,
      succeeded: answers.length - missing.length,
      lost: lost.length,
      doubled: 0,
      paidTwice: doubled.length,
      recoveryP99Ms: percentile(drained, 0.99),
      failures: [...failures, ...apis.faults.filter(fault => !fault.includes('SIGKILL'))].slice(0, 10),
      details: {
        lostInTheLastMoment: missing.length - lost.length,
        refused,
        upstreamCalls: upstream.calls,
        rows: rows.length,
      },
    };
  } finally {
    isOver = true;
    await apis.close();
    await upstream.stop();
    await ground.close();
  }
}

async function connect(ground: Ground): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ground.environment.DATABASE_URL });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function createRefusal({ sql }: Ground): Promise<void> {
  await sql('create table refusal (code text)');
  await sql(`
    create function refuse() returns trigger language plpgsql as $$
    declare refused text := (select code from refusal limit 1);
    begin
      if refused is not null then raise exception 'refused by the suite' using errcode = refused; end if;
      return null;
    end $$`);
  await sql('create trigger refuse before insert on billing_transaction for each statement execute function refuse()');
}

/** The number of the call that answered; undefined: it was refused. */
async function complete(url: string): Promise<number | undefined> {
  const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello.' }] };
  const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await request(url, 'POST', '/v1/chat/completions', { body, headers });
  return answer.status === 200 ? answer.body.usage.prompt_tokens : undefined;
}

/** Whether no process has anything left in its spool, within a while. */
async function isDrained(ground: Ground): Promise<boolean> {
  const folder = path.join(ground.environment.DATA_DIR as string, 'spool');
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await delay(200)) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    if (!names.some(name => name.endsWith('.jsonl'))) return true;
  }
  return false;
}

/** A model whose answers report their number as the tokens that they read, and none that they wrote. */
async function startNumberedUpstream() {
  let calls = 0;
  const server = http.createServer(async (incoming, response) => {
    incoming.on('error', () => {});
    for await (const _ of incoming);
    const nth = ++calls;
    const message = { role: 'assistant', content: `answer ${nth}` };
    const usage = { prompt_tokens: nth, completion_tokens: 0, total_tokens: nth };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const answer = { id: `chatcmpl-${nth}`, object: 'chat.completion', created: 1_700_000_000, model: 'gpt-4o-mini' };
    await delay(20);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...answer, choices, usage }));
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get calls() {
      return calls;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
