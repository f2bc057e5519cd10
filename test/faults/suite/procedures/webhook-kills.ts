import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request as undici } from 'undici';
import { chain, output, trigger } from '../../../support/graphs.js';
import { differences } from '../checker.js';
import { request } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';

const CALLS = 60_000;
const KILLS = 20;
const CALLERS = 64;
/** Part of the calls without kills that precede the measured ones. */
const WARM_UP_SHARE = 0.2;
const SECRET = 'the secret of the repository';
const TIMEOUT_MS = 180_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** The accepted and repeated calls, as their senders know them. */
interface SentCalls {
  /** The id of the run by delivery, of accepted calls. */
  runs: Map<string, string>;
  faults: string[];
  repeated: number;
}

/** Two APIs accept webhooks, signed as GitHub signs them, and are killed in turn. Senders repeat calls that were not answered. */
export async function webhookKills(context: Context): Promise<Outcome> {
  const calls = context.scaled(CALLS, 500);
  const kills = context.scaled(KILLS, 2);
  const fixture = await createFixture(context);
  const apis = new Fleet({ environment: { ...fixture.environment, ROLE: 'api' } }, 2);
  const workers = new Fleet({ environment: { ...fixture.environment, ROLE: 'worker' } }, 1);
  const sent: SentCalls = { runs: new Map(), faults: [], repeated: 0 };
  try {
    await apis.start();
    await workers.start();
    const path = await createWebhook(apis.urls[0]!);
    // The first third is sent without kills, to measure the rate of processes that have compiled their code.
    const undisturbed = Math.round(calls / 3);
    const warmUp = Math.round(undisturbed * WARM_UP_SHARE);
    await sendCalls(apis, path, warmUp, sent);
    const startedAt = Date.now();
    await sendCalls(apis, path, undisturbed - warmUp, sent);
    const perSecond = Math.round(((undisturbed - warmUp) * 1_000) / (Date.now() - startedAt));
    context.log(`${perSecond} webhooks accepted per second`);
    const sending = sendCalls(apis, path, calls - undisturbed, sent);
    const killed = await killInTurn(context, fixture, apis, { kills, calls, undisturbed, sent });
    await sending;
    const stallReason = await converge(fixture);
    const { lost, doubled, examples } = await compare(fixture, sent);
    const wrong = await differences(fixture);
    const failures = [...sent.faults, ...apis.faults, ...workers.faults, ...(stallReason ? [stallReason] : [])];
    return {
      procedure: 'webhook-kills',
      fault: `2 APIs, ${killed} × SIGKILL, senders that repeat webhooks`,
      ...{ runs: calls, succeeded: sent.runs.size, lost, doubled, paidTwice: wrong.length, recoveryP99Ms: null },
      failures: failures.slice(0, 10),
      details: { perSecond, repeated: sent.repeated, examples },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}

async function createWebhook(url: string): Promise<string> {
  const create = async (path: string, body: object) => {
    const answer = await request(url, 'POST', `/api/v1/${path}`, { body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: project } = await create('projects/', { name: 'Webhooks' });
  const data = chain(trigger(), output('{{ input.body.delivery }}'));
  const { id: workflow } = await create('workflows/', { project, title: 'W', data });
  const webhook = { verification: 'github', secret: SECRET };
  return (await create(`workflows/${workflow}/triggers/`, { name: 'GitHub', webhook })).path;
}

async function sendCalls(apis: Fleet, path: string, count: number, sent: SentCalls): Promise<void> {
  let left = count;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (left-- > 0 && sent.faults.length === 0) await sendCall(apis, path, sent);
  });
  await Promise.all(callers);
}

/** Sends one delivery until it is accepted. */
async function sendCall(apis: Fleet, path: string, sent: SentCalls): Promise<void> {
  const delivery = randomUUID();
  const body = JSON.stringify({ delivery });
  const headers = {
    'Content-Type': 'application/json',
    'X-GitHub-Delivery': delivery,
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  };
  const until = Date.now() + TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    const url = apis.urls[(sent.runs.size + attempt) % Math.max(1, apis.urls.length)];
    const answer = url === undefined ? undefined : await post(url + path, headers, body);
    if (answer?.status === 202) {
      sent.runs.set(delivery, answer.runId);
      return;
    }
    sent.repeated++;
    if (answer && answer.status !== 503 && answer.status !== 429)
      sent.faults.push(`a webhook was answered ${answer.status}`);
    if (Date.now() > until) sent.faults.push('a webhook was not answered');
    if (sent.faults.length > 0) return;
    await delay(50);
  }
}

/** Undefined: the connection broke. */
async function post(url: string, headers: Record<string, string>, body: string) {
  try {
    const response = await undici(url, { method: 'POST', headers, body, headersTimeout: ANSWER_TIMEOUT_MS });
    const { run_id: runId } = (await response.body.json()) as { run_id: string };
    return { status: response.statusCode, runId };
  } catch {
    return undefined;
  }
}

/** Kills the APIs at even distances between the calls. Returns the number of kills. */
async function killInTurn(
  { log }: Context,
  { random }: Fixture,
  apis: Fleet,
  { kills, calls, undisturbed, sent }: { kills: number; calls: number; undisturbed: number; sent: SentCalls },
): Promise<number> {
  const share = (calls - undisturbed) / (kills + 1);
  let killed = 0;
  while (killed < kills && sent.runs.size < calls && sent.faults.length === 0) {
    if (sent.runs.size < undisturbed + (killed + 1) * share || apis.readyMembers.length < 2) await delay(5);
    else if ((await apis.kill(random)) && ++killed % 5 === 0)
      log(`${killed} APIs killed, ${sent.runs.size} webhooks accepted`);
  }
  return killed;
}

/** Compares accepted deliveries with the runs and the log of the trigger. */
async function compare({ sql }: Fixture, { runs }: SentCalls) {
  const rows = await sql<{ id: string; delivery: string; state: string; isPaid: boolean }>(
    `select r.id, p.input->'body'->>'delivery' as delivery, r.state,
            (select count(*) = 2 and count(distinct node_id) = 2 from billing_transaction b where b.run_id = r.id) as "isPaid"
       from workflow_run r join workflow_run_payload p on p.run_id = r.id`,
  );
  const byDelivery = Map.groupBy(rows, ({ delivery }) => delivery);
  const examples: string[] = [];
  let [lost, doubled] = [0, 0];
  for (const [delivery, runId] of runs) {
    const found = byDelivery.get(delivery) ?? [];
    if (!found.some(({ id, state, isPaid }) => id === runId && state === 'succeeded' && isPaid)) {
      lost++;
      examples.push(`${runId} was accepted and is ${JSON.stringify(found)}`);
    }
  }
  for (const [delivery, found] of byDelivery) {
    if (found.length === 1) continue;
    doubled++;
    examples.push(`${delivery} has ${found.length} runs`);
  }
  return { lost, doubled, examples: examples.slice(0, 10) };
}
