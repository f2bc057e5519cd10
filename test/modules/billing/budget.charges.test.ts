import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { eventually } from '../../support/eventually.js';
import { chain, type GraphData, type GraphNode } from '../../support/graphs.js';
import { accountOf, CALL_USD, createPaidWorkflow, paidGraph, settledAt } from '../../support/paid-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  CHARGED_FOR_NOTHING,
  OUT_OF_ORDER,
  type ScriptedAnswer,
  startScriptedUpstream,
  textAnswer,
} from '../../support/upstreams/scripted-upstream.js';

const TWICE_USD = '0.0009';
const RETRY = { on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } };

/** Null: it never answers. */
type Script = (ScriptedAnswer | Promise<ScriptedAnswer> | null)[];

let service: TestService;
let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
let project: number;
/** Answers of the next calls, in order. */
let script: Script;
/** The reserved amount of the project when each call arrived. */
let reserved: string[];

beforeAll(async () => {
  upstream = await startScriptedUpstream(async () => {
    reserved.push((await accountOf(service, project)).reserved);
    return script.shift() ?? null;
  });
  // A script has one answer for each call.
  const providerRetry = { tries: 1, baseMs: 0 };
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' }, providerRetry });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

/** Starts a run whose calls are answered in this order. */
async function start(
  answers: Script,
  more: Record<string, unknown> = {},
  graph: GraphData = paidGraph(more),
): Promise<string> {
  [script, reserved] = [answers, []];
  const paid = await createPaidWorkflow(service, '1', graph);
  project = paid.project;
  const { body } = await service.rest('POST', `/api/v1/workflows/${paid.workflow}/run/`, { body: {} });
  return body.data.id;
}

const run = async (...asked: Parameters<typeof start>) => {
  const id = await start(...asked);
  return awaitFinish(service, id);
};

it('settles a call with the row that charges it, while its run continues', async () => {
  const [begin, asking] = paidGraph().nodes as [GraphNode, GraphNode];
  const graph = chain(begin, asking, { ...asking, id: randomUUID() });
  expect((await run([textAnswer('one'), textAnswer('two')], {}, graph)).status).toBe('succeed');
  expect(reserved).toEqual([CALL_USD, CALL_USD]);
  expect(await accountOf(service, project)).toEqual(settledAt(TWICE_USD));
});

it('drops at the end of a run whatever the run still holds', async () => {
  const answer = Promise.withResolvers<ScriptedAnswer>();
  const id = await start([answer.promise]);
  await eventually(
    async () => reserved.length,
    calls => calls === 1,
  );
  await service.sql(
    `with kept as (
       insert into budget_reservation (id, project_id, holder, amount_usd, expires_at)
       values (gen_random_uuid(), $1, $2, 0.25, now() + interval '1 hour'))
     update project set reserved_usd = reserved_usd + 0.25 where id = $1`,
    [project, id],
  );
  answer.resolve(textAnswer('hello'));
  expect((await awaitFinish(service, id)).status).toBe('succeed');
  expect(await accountOf(service, project)).toEqual(settledAt(CALL_USD));
});

it('releases the reservation of a call that failed and cost nothing', async () => {
  expect((await run([OUT_OF_ORDER])).status).toBe('failed');
  expect(reserved).toEqual([CALL_USD]);
  expect(await accountOf(service, project)).toEqual(settledAt('0'));
});

it('releases the reservation of a failed attempt before the next one', async () => {
  expect((await run([OUT_OF_ORDER, textAnswer('hello')], RETRY)).status).toBe('succeed');
  expect(reserved).toEqual([CALL_USD, CALL_USD]);
  expect(await accountOf(service, project)).toEqual(settledAt(CALL_USD));
});

it('releases the reservation of a call that is not answered in time', async () => {
  expect(await run([null], { timeout_seconds: 8 })).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  expect(reserved).toEqual([CALL_USD]);
  expect(await accountOf(service, project)).toEqual(settledAt('0'));
});

it('charges a failed call that the provider charged for', async () => {
  expect((await run([CHARGED_FOR_NOTHING])).status).toBe('failed');
  expect(await accountOf(service, project)).toEqual(settledAt(CALL_USD));
});

it('keeps a failed attempt reserved until the row of its node charges it', async () => {
  const { status, data } = await run([CHARGED_FOR_NOTHING, textAnswer('hello')], RETRY);
  expect(status).toBe('succeed');
  expect(reserved).toEqual([CALL_USD, TWICE_USD]);
  expect(await accountOf(service, project)).toEqual(settledAt(TWICE_USD));
  const used = Object.values(data as Record<string, { usage?: unknown }>).flatMap(node => node.usage ?? []);
  expect(used).toEqual([{ prompt_tokens: 2_000, completion_tokens: 1_000, total_tokens: 3_000, cost_usd: TWICE_USD }]);
});

it('charges the cost of failed attempts when the run is cancelled in the next one', async () => {
  const id = await start([CHARGED_FOR_NOTHING, null], RETRY);
  await eventually(
    async () => reserved.length,
    calls => calls === 2,
  );
  const { data } = await service.graphql(
    'mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { cost { usd } nodes { status usage { costUsd } } } } }',
    { id },
  );
  expect(data.workflowRunCancel.workflowRun).toEqual({
    cost: { usd: CALL_USD },
    nodes: [
      { status: 'SUCCEEDED', usage: null },
      { status: 'FAILED', usage: { costUsd: CALL_USD } },
    ],
  });
  expect(await accountOf(service, project)).toEqual(settledAt(CALL_USD));
});
