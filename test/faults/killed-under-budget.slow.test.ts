import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { testEnvironment } from '../support/config.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import {
  accountOf,
  CALL_USD,
  createPaidWorkflow,
  type PaidWorkflow,
  paidGraph,
  settledAt,
} from '../support/paid-graphs.js';
import { crashWorkerAt } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { CHARGED_FOR_NOTHING, startScriptedUpstream, textAnswer } from '../support/upstreams/scripted-upstream.js';

describe('a worker that is killed while it holds a reservation', () => {
  let service: TestService;
  let database: string;
  let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
  /** Answers of the next calls, in order; `hello` when there are none left. */
  let script: (typeof CHARGED_FOR_NOTHING)[] = [];
  let reservedOnCall: string[] = [];
  let paid: PaidWorkflow;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(async () => {
      reservedOnCall.push((await accountOf(service, paid.project)).reserved);
      return script.shift() ?? textAnswer('hello');
    });
    database = await createDatabase();
    service = await startTestService({ role: 'api', openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  async function start(more: Record<string, unknown> = {}): Promise<string> {
    reservedOnCall = [];
    paid = await createPaidWorkflow(service, '1', paidGraph(more));
    const { body } = await service.rest('POST', `/api/v1/workflows/${paid.workflow}/run/`, { body: {} });
    expect(body.status).toBe(201);
    return body.data.id;
  }

  async function dieAt(point: string): Promise<void> {
    const environment = { ...testEnvironment(database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    await crashWorkerAt(point, environment);
    await expireJobs(service);
  }

  async function succeedElsewhere(id: string): Promise<void> {
    const openai = { baseUrl: upstream.url, apiKey: 'k' };
    const worker = await startTestService({ role: 'worker', openai }, database);
    expect((await awaitFinish(service, id)).status).toBe('succeed');
    await worker.stop();
  }

  it.each(['reserve.after', 'record.before:2'])(
    'leaves the reservation to be dropped by the worker that takes the run over (%s)',
    async point => {
      const id = await start();
      await dieAt(point);
      expect(await accountOf(service, paid.project)).toMatchObject({ reserved: CALL_USD, held: CALL_USD });
      await succeedElsewhere(id);
      expect(reservedOnCall.at(-1)).toBe(CALL_USD);
      expect(await accountOf(service, paid.project)).toEqual(settledAt(CALL_USD));
    },
  );

  it('leaves the reservation to be dropped when the run is cancelled', async () => {
    const id = await start();
    await dieAt('reserve.after');
    await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', { id });
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0'));
  });

  it('still charges for a failed attempt that was paid for', async () => {
    script = [CHARGED_FOR_NOTHING];
    const id = await start({ on_error: 'retry', retry: { attempts: 4, delay_seconds: 0 } });
    // The first attempt is recorded as failed, and the second has just been reserved.
    await dieAt('reserve.after:2');
    await succeedElsewhere(id);
    expect(reservedOnCall).toEqual([CALL_USD, '0.0009']);
    expect(await accountOf(service, paid.project)).toEqual(settledAt('0.0009'));
  });
});
