import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { chain, http, ifElse, llm, output, template, trigger } from '../../test/support/graphs.js';
import { ADMIN_KEY } from '../processes/processes.js';
import type { HttpCall } from './keep-alive-client.js';
import { type Load, type LoadOptions, load, once } from './load.js';

const POLL_MS = 5;
const ALIVE = ['queued', 'running']
  .map(state => `(select 1 from workflow_run where state = '${state}' limit 1)`)
  .join(' union all ');
const MODEL = 'gpt-4o-mini';

export const HEADERS = { 'Content-Type': 'application/json', 'X-Api-Key': ADMIN_KEY };

const text = () => template('{{ previous.content }} is what was found.');

/** trigger → if → template → output: nobody outside is asked. */
export function pureGraph() {
  const condition = ifElse('1', '==', '1');
  const [start, shown, end] = [trigger(), text(), output()];
  condition.data = { ...condition.data, true_node: shown.id, false_node: shown.id };
  return chain(start, condition, shown, end);
}

/** The same with a call to `url` in the middle. */
export const httpGraph = (url: string) => chain(trigger(), http(url, { method: 'GET' }), text(), output());

/** The same with a model in the middle. */
export const modelGraph = () => chain(trigger(), llm('Say something.', MODEL), text(), output());

/** A workflow of a project of its own; answers its id. */
export async function makeWorkflow(origin: string, data: unknown): Promise<number> {
  const make = async (path: string, body: unknown) => {
    const call = { url: `${origin}${path}`, method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    return JSON.parse((await once(call, 201)).body) as { id: number };
  };
  const { id: project } = await make('/api/v1/projects/', { name: 'Bench' });
  return (await make('/api/v1/workflows/', { project, title: 'Bench', data })).id;
}

/** The call that starts a run, by REST. */
export function restStart(origin: string, workflow: number): HttpCall {
  return { url: `${origin}/api/v1/workflows/${workflow}/run/`, method: 'POST', headers: HEADERS, body: '{}' };
}

/** The same by GraphQL, with as much in its answer. */
export function graphqlStart(origin: string, workflow: number): HttpCall {
  const query = `mutation Start($id: Int!) {
    workflowRunStart(workflowId: $id, input: {}) { status data { id status data output error } } }`;
  const body = JSON.stringify({ query, variables: { id: workflow } });
  return { url: `${origin}/graphql`, method: 'POST', headers: HEADERS, body };
}

/** From the first request until the last run that was accepted has ended, with its result and its bill. */
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
  while ((await pool.query(ALIVE)).rows.length > 0) await delay(POLL_MS);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: ((await ended()) - before) / seconds, accepting };
}
