import { setTimeout as delay } from 'node:timers/promises';
import { chain, http, llm, node, output, trigger } from '../../../support/graphs.js';
import { differences } from '../checker.js';
import { RetryingClient, request } from '../client.js';
import { openStage, ticketRun } from '../deeds.js';
import { FAULTS, startFaultyServer } from '../faulty-server.js';
import { Fleet } from '../fleet.js';
import { ADMIN_KEY, type Context, type Ground, layGround } from '../ground.js';
import type { Outcome } from '../outcome.js';

/** Of every node, and of the whole answer to a chat completion. */
const NODE_TIMEOUT_S = 6;
const CHAT_TIMEOUT_MS = 60_000;
/** For what is not waited for the upstream: the queue, a machine that has other things to do. */
const SLACK_MS = 30_000;
/** Questions at the same time. */
const LANES = 20;
/** What a process may hold beyond what it held before. */
const MOST_MORE_MB = 400;

interface Asked {
  what: string;
  /** Why it did not end as it must; undefined: it did. */
  fault: string | undefined;
}

/** An upstream that fails in every way, for an LLM node, an HTTP node, an MCP node and the chat proxy, many at once. */
export async function upstreamFaults(context: Context): Promise<Outcome> {
  const ground = await layGround(context);
  const faulty = await startFaultyServer();
  const environment = { ...ground.environment, OPENAI_BASE_URL: `${faulty.origin}/v1` };
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' } }, 1);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const url = apis.urls[0]!;
    const stage = await openStage(ground, url);
    const before = [...apis.alive, ...workers.alive].map(member => member.memory().nowMb);
    const project = await projectOf(url);
    // A port on which nobody listens.
    const nobody = 'http://127.0.0.1:9';
    const names = Object.keys(FAULTS);
    const run = (what: string, asking: ReturnType<typeof node>) => () => runOf(ground, url, project, what, asking);
    const questions = [
      ...names.flatMap(name => [
        run(`LLM node × ${name}`, llm(`fault:${name}`, 'gpt-4o-mini', { timeout_seconds: NODE_TIMEOUT_S })),
        run(`HTTP node × ${name}`, httpNode(`${faulty.origin}/${name}`)),
        run(`MCP node × ${name}`, mcpNode(`${faulty.origin}/${name}`)),
        () => chatOf(url, project, `chat × ${name}`, name),
      ]),
      run('HTTP node × refuse', httpNode(nobody)),
      run('MCP node × refuse', mcpNode(nobody)),
    ];
    const asked: Asked[] = [];
    const lane = async () => {
      for (let ask = questions.shift(); ask; ask = questions.shift()) asked.push(await ask());
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const after = [...apis.alive, ...workers.alive].map(member => member.memory().peakMb);
    const more = after.map((peak, index) => peak - before[index]!);
    const failures = asked.flatMap(({ what, fault }) => (fault ? [`${what}: ${fault}`] : []));
    if (more.some(mb => mb > MOST_MORE_MB)) failures.push(`a process took ${Math.max(...more)} MB more`);
    const doing = await (await ticketRun(stage))(url);
    for (const until = Date.now() + SLACK_MS; !(await doing.isOver()); await delay(50)) if (Date.now() > until) break;
    failures.push(...(await doing.faults()));
    const wrong = await differences(ground);
    const negative = await ground.sql('select run_id from billing_transaction where amount_usd < 0');
    const [charged] = await ground.sql(
      'select max(amount_usd)::text as most, sum(amount_usd)::text as all from billing_transaction',
    );
    const double = await ground.sql(
      `select run_id from billing_transaction group by run_id, node_id, iteration, operation having count(*) > 1`,
    );
    return {
      procedure: 'upstream-faults',
      fault: `${names.length + 1} ways in which an upstream fails × LLM node, HTTP node, MCP node, chat`,
      runs: asked.length,
      succeeded: asked.filter(({ fault }) => fault === undefined).length,
      lost: asked.filter(({ fault }) => fault === LOST).length,
      doubled: 0,
      paidTwice: wrong.length + negative.length + double.length,
      recoveryP99Ms: null,
      failures: [...failures, ...apis.faults, ...workers.faults].slice(0, 40),
      details: { moreMb: more, charged, ways: names, openAfterwards: await faulty.open() },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await faulty.stop();
    await ground.close();
  }
}

const LOST = 'it did not end';

const httpNode = (url: string) => http(url, { timeout_seconds: NODE_TIMEOUT_S });

const mcpNode = (url: string) => {
  const server = { endpoint_url: url, transport: 'auto', timeout: NODE_TIMEOUT_S - 1 };
  return node('mcp-node', { ...server, tool: 'echo', arguments: {}, timeout_seconds: NODE_TIMEOUT_S });
};

async function projectOf(url: string): Promise<number> {
  return (await request(url, 'POST', '/api/v1/projects/', { body: { name: 'Faulty' } })).body.id;
}

/** A run of one node: it ends, and a node that failed says why. */
async function runOf(
  ground: Ground,
  url: string,
  project: number,
  what: string,
  asking: ReturnType<typeof node>,
): Promise<Asked> {
  const body = { project, title: what, data: chain(trigger(), asking, output('ended')) };
  const client = new RetryingClient(() => [url]);
  const made = await client.send('POST', '/api/v1/workflows/', body);
  if (made.status !== 201) return { what, fault: `saving was answered ${made.status} ${JSON.stringify(made.body)}` };
  const run = await client.send('POST', `/api/v1/workflows/${made.body.id}/run/`, {});
  const id = run.body?.data?.id;
  if (run.body?.status !== 201) return { what, fault: `the run was refused: ${JSON.stringify(run.body)}` };
  for (const until = Date.now() + NODE_TIMEOUT_S * 1_000 + SLACK_MS; Date.now() < until; await delay(100)) {
    const [row] = await ground.sql<{
      state: string;
      error: { code?: string; message?: string } | null;
      tookMs: number;
    }>(
      `select r.state, p.result->'error' as error,
              extract(epoch from r.run_finished_at - r.run_started_at)::float8 * 1000 as "tookMs"
         from workflow_run r join workflow_run_payload p on p.run_id = r.id where r.id = $1 and r.run_finished_at is not null`,
      [id],
    );
    if (!row) continue;
    const { state, error, tookMs } = row;
    if (tookMs > NODE_TIMEOUT_S * 1_000 + SLACK_MS / 2) return { what, fault: `it ended after ${tookMs} ms` };
    if (state === 'succeeded') return { what, fault: undefined };
    if (!error?.code || !error.message || error.code === 'internal_error')
      return { what, fault: `it failed with ${JSON.stringify(error)}` };
    return { what, fault: undefined };
  }
  return { what, fault: LOST };
}

/** A chat completion: an answer, or an error in the shape of providers, in time. */
async function chatOf(url: string, project: number, what: string, name: string): Promise<Asked> {
  const body = {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: `fault:${name}` }],
    stream: name === 'stall',
  };
  const headers = {
    Authorization: `Bearer ${ADMIN_KEY}`,
    'X-Project-Id': String(project),
    'Content-Type': 'application/json',
  };
  const gone = AbortSignal.timeout(CHAT_TIMEOUT_MS + SLACK_MS);
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: gone,
    });
    // A stream that stalls is left by its reader.
    if (name === 'stall') return { what, fault: answer.status === 200 ? await left(answer) : `${answer.status}` };
    const text = await answer.text().catch(() => '');
    if (answer.status < 400 || /^[45]/.test(String(answer.status))) return { what, fault: isTold(answer.status, text) };
    return { what, fault: `it was answered ${answer.status}` };
  } catch (error) {
    return { what, fault: gone.aborted ? LOST : String((error as Error).cause ?? error) };
  }
}

/** What a provider says passes as it is; what we say of one that says nothing has its shape. */
function isTold(status: number, text: string): string | undefined {
  if (status < 500) return undefined;
  return text === '' ? `${status} without a word` : undefined;
}

async function left(answer: Response): Promise<string | undefined> {
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value && value.length > 0 ? undefined : 'the stream had no beginning';
}
