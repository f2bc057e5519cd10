import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { chain, http, ifElse, llm, output, template, trigger } from '../../test/support/graphs.js';
import { ADMIN_KEY } from '../processes/processes.js';
import type { HttpCall } from './keep-alive-client.js';
import { type Load, type LoadOptions, load, once } from './load.js';

const POLL_MS = 5;
/** A statement that returns a row while a run is not finished. */
const UNFINISHED = ['queued', 'running']
  .map(state => `(select 1 from workflow_run where state = '${state}' limit 1)`)
  .join(' union all ');
const MODEL = 'gpt-4o-mini';

export const HEADERS = { 'Content-Type': 'application/json', 'X-Api-Key': ADMIN_KEY };

const textNode = () => template('{{ previous.content }} is what was found.');

/** trigger → if → template → output, without external calls. */
export function pureGraph() {
  const condition = ifElse('1', '==', '1');
  const [start, text, end] = [trigger(), textNode(), output()];
  condition.data = { ...condition.data, true_node: text.id, false_node: text.id };
  return chain(start, condition, text, end);
}

/** trigger → HTTP call to `url` → template → output. */
export const httpGraph = (url: string) => chain(trigger(), http(url, { method: 'GET' }), textNode(), output());

/** trigger → model call → template → output. */
export const modelGraph = () => chain(trigger(), llm('Say something.', MODEL), textNode(), output());

/** Creates a workflow in a new project and returns its id. */
export async function makeWorkflow(origin: string, data: unknown): Promise<number> {
  const make = async (path: string, body: unknown) => {
    const call = { url: `${origin}${path}`, method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    return JSON.parse((await once(call, 201)).body) as { id: number };
  };
  const { id: project } = await make('/api/v1/projects/', { name: 'Bench' });
  return (await make('/api/v1/workflows/', { project, title: 'Bench', data })).id;
}

/** The REST request that starts a run. */
export function restStart(origin: string, workflow: number): HttpCall {
  return { url: `${origin}/api/v1/workflows/${workflow}/run/`, method: 'POST', headers: HEADERS, body: '{}' };
}

/** The GraphQL request that starts a run. Its response has the same data as that of `restStart`. */
export function graphqlStart(origin: string, workflow: number): HttpCall {
  const query = `mutation Start($id: Int!) {
    workflowRunStart(workflowId: $id, input: {}) { receipt { status data { id: runId status data output error { code message } } } } }`;
  const body = JSON.stringify({ query, variables: { id: workflow } });
  return { url: `${origin}/graphql`, method: 'POST', headers: HEADERS, body };
}

/** How the state of a run is read. */
export interface RunPoll {
  /** Reads the id of the run from the response to its start request. */
  idOf(body: string): string;
  /** The request that reads the state of a run. */
  state(id: string): HttpCall;
  /** Whether the response to `state` says that the run has ended. Throws if it says that the run has failed. */
  hasEnded(status: number, body: string): boolean;
}

/** Polls without a pause until the run has ended. */
export async function awaitEnd(poll: RunPoll, id: string): Promise<void> {
  const read = poll.state(id);
  for (;;) {
    const response = await fetch(read.url, { headers: read.headers ?? {} });
    if (poll.hasEnded(response.status, await response.text())) return;
  }
}

/** How `awaitEnd` reads the state of a run by REST. */
export function restPoll(origin: string): RunPoll {
  return {
    idOf: body => JSON.parse(body).data.id,
    state: id => ({ url: `${origin}/api/v1/workflows/workflow_result/?id=${id}`, headers: HEADERS }),
    hasEnded(_status, body) {
      const { status } = JSON.parse(body).data;
      if (status === 'failed') throw new Error(`a run failed: ${body}`);
      return status === 'succeed';
    },
  };
}

/** Measures the time from the first request until all accepted runs have ended, with results and ledger rows. */
export async function runsPerSecond(
  pool: pg.Pool,
  start: HttpCall,
  options: LoadOptions,
): Promise<{ perSecond: number; accepting: Load }> {
  const ended = async () => {
    const { rows } = await pool.query('select state, count(*)::int as runs from workflow_run group by state');
    const failed = rows.filter(row => row.state !== 'succeeded');
    if (failed.length > 0) throw new Error(`not every run succeeded: ${JSON.stringify(failed)}`);
    return (rows[0]?.runs ?? 0) as number;
  };
  const before = await ended();
  const started = performance.now();
  const accepting = await load(start, options);
  while ((await pool.query(UNFINISHED)).rows.length > 0) await delay(POLL_MS);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: ((await ended()) - before) / seconds, accepting };
}
