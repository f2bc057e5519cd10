import { setTimeout as delay } from 'node:timers/promises';
import { chain, http, llm, node, output, trigger } from '../../../support/graphs.js';
import { createActionTarget, ticketRun } from '../actions.js';
import { differences, OUTCOME } from '../checker.js';
import { RetryingClient, request } from '../client.js';
import { FAULTS, startFaultyServer } from '../faulty-server.js';
import { ADMIN_KEY, type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';

/** Time limit of every node in seconds. */
const NODE_TIMEOUT_S = 6;
/** Time limit of the whole answer to a chat completion. */
const CHAT_TIMEOUT_MS = 60_000;
/** Additional milliseconds for queueing and a busy machine. */
const SLACK_MS = 30_000;
/** Simultaneous calls. */
const LANES = 20;
/** Megabytes by which the memory of a process may grow. */
const MAX_MORE_MB = 400;

interface CallResult {
  title: string;
  /** Why the call did not end as required; undefined: it did. */
  fault: string | undefined;
}

/** An upstream that fails in every way, for an LLM node, an HTTP node, an MCP node and the chat proxy, many at once. */
export async function upstreamFaults(context: Context): Promise<Outcome> {
  const fixture = await createFixture(context);
  const faulty = await startFaultyServer();
  const environment = { ...fixture.environment, OPENAI_BASE_URL: `${faulty.origin}/v1` };
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' } }, 1);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const url = apis.urls[0]!;
    const target = await createActionTarget(fixture, url);
    const before = [...apis.readyMembers, ...workers.readyMembers].map(member => member.memory().nowMb);
    const project = await createProject(url);
    // A port on which no process listens.
    const closedPort = 'http://127.0.0.1:9';
    const names = Object.keys(FAULTS);
    const run = (title: string, failingNode: ReturnType<typeof node>) => () =>
      runFailingNode(fixture, url, project, title, failingNode);
    const calls = [
      ...names.flatMap(name => [
        run(`LLM node × ${name}`, llm(`fault:${name}`, 'gpt-4o-mini', { timeout_seconds: NODE_TIMEOUT_S })),
        run(`HTTP node × ${name}`, httpNode(`${faulty.origin}/${name}`)),
        run(`MCP node × ${name}`, mcpNode(`${faulty.origin}/${name}`)),
        () => completeFaulty(url, project, `chat × ${name}`, name),
      ]),
      run('HTTP node × refuse', httpNode(closedPort)),
      run('MCP node × refuse', mcpNode(closedPort)),
    ];
    const results: CallResult[] = [];
    const lane = async () => {
      for (let call = calls.shift(); call; call = calls.shift()) results.push(await call());
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const after = [...apis.readyMembers, ...workers.readyMembers].map(member => member.memory().peakMb);
    const growthMb = after.map((peak, index) => peak - before[index]!);
    const failures = results.flatMap(({ title, fault }) => (fault ? [`${title}: ${fault}`] : []));
    if (growthMb.some(mb => mb > MAX_MORE_MB)) failures.push(`a process took ${Math.max(...growthMb)} MB more`);
    const pending = await (await ticketRun(target))(url);
    for (const until = Date.now() + SLACK_MS; !(await pending.isFinished()); await delay(50))
      if (Date.now() > until) break;
    failures.push(...(await pending.faults()));
    const wrong = await differences(fixture);
    const negative = await fixture.sql('select run_id from billing_transaction where amount_usd < 0');
    const [charged] = await fixture.sql(
      'select max(amount_usd)::text as most, sum(amount_usd)::text as all from billing_transaction',
    );
    const double = await fixture.sql(
      `select run_id from billing_transaction group by run_id, node_id, iteration, operation having count(*) > 1`,
    );
    return {
      procedure: 'upstream-faults',
      fault: `${names.length + 1} ways in which an upstream fails × LLM node, HTTP node, MCP node, chat`,
      runs: results.length,
      succeeded: results.filter(({ fault }) => fault === undefined).length,
      lost: results.filter(({ fault }) => fault === LOST).length,
      doubled: 0,
      paidTwice: wrong.length + negative.length + double.length,
      recoveryP99Ms: null,
      failures: [...failures, ...apis.faults, ...workers.faults].slice(0, 40),
      details: { moreMb: growthMb, charged, ways: names, openAfterwards: await faulty.open() },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await faulty.stop();
    await fixture.close();
  }
}

const LOST = 'it did not end';

const httpNode = (url: string) => http(url, { timeout_seconds: NODE_TIMEOUT_S });

const mcpNode = (url: string) => {
  const server = { endpoint_url: url, transport: 'auto', timeout: NODE_TIMEOUT_S - 1 };
  return node('mcp-node', { ...server, tool: 'echo', arguments: {}, timeout_seconds: NODE_TIMEOUT_S });
};

async function createProject(url: string): Promise<number> {
  return (await request(url, 'POST', '/api/v1/projects/', { body: { name: 'Faulty' } })).body.id;
}

/** A run of one node ends, and a node that failed reports a reason. */
async function runFailingNode(
  fixture: Fixture,
  url: string,
  project: number,
  title: string,
  failingNode: ReturnType<typeof node>,
): Promise<CallResult> {
  const body = { project, title, data: chain(trigger(), failingNode, output('ended')) };
  const client = new RetryingClient(() => [url]);
  const create = await client.send('POST', '/api/v1/workflows/', body);
  if (create.status !== 201)
    return { title, fault: `saving was answered ${create.status} ${JSON.stringify(create.body)}` };
  const run = await client.send('POST', `/api/v1/workflows/${create.body.id}/run/`, {});
  const id = run.body?.data?.id;
  if (run.body?.status !== 201) return { title, fault: `the run was refused: ${JSON.stringify(run.body)}` };
  for (const until = Date.now() + NODE_TIMEOUT_S * 1_000 + SLACK_MS; Date.now() < until; await delay(100)) {
    const [row] = await fixture.sql<{
      state: string;
      error: { code?: string; message?: string } | null;
      tookMs: number;
    }>(
      `select r.state, ${OUTCOME}->'error' as error,
              extract(epoch from r.run_finished_at - r.run_started_at)::float8 * 1000 as "tookMs"
         from workflow_run r join workflow_run_payload p on p.run_id = r.id where r.id = $1 and r.run_finished_at is not null`,
      [id],
    );
    if (!row) continue;
    const { state, error, tookMs } = row;
    if (tookMs > NODE_TIMEOUT_S * 1_000 + SLACK_MS / 2) return { title, fault: `it ended after ${tookMs} ms` };
    if (state === 'succeeded') return { title, fault: undefined };
    if (!error?.code || !error.message || error.code === 'internal_error')
      return { title, fault: `it failed with ${JSON.stringify(error)}` };
    return { title, fault: undefined };
  }
  return { title, fault: LOST };
}

/** A chat completion returns an answer, or an error in the format of the provider, in time. */
async function completeFaulty(url: string, project: number, title: string, name: string): Promise<CallResult> {
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
    // The reader gives up a stream that stalls.
    if (name === 'stall')
      return { title, fault: answer.status === 200 ? await firstChunkFault(answer) : `${answer.status}` };
    const text = await answer.text().catch(() => '');
    return { title, fault: emptyErrorFault(answer.status, text) };
  } catch (error) {
    return { title, fault: gone.aborted ? LOST : String((error as Error).cause ?? error) };
  }
}

/** An error of a provider is passed on unchanged; an empty one is replaced by an error in our format, so no error is empty. */
function emptyErrorFault(status: number, text: string): string | undefined {
  if (status < 500) return undefined;
  return text === '' ? `${status} without a word` : undefined;
}

async function firstChunkFault(answer: Response): Promise<string | undefined> {
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value && value.length > 0 ? undefined : 'the stream had no beginning';
}
