import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import type { ClaimedRun } from '../../../src/modules/workflow-runs/execution/run-claims.js';
import { RunReport } from '../../../src/modules/workflow-runs/execution/run-report.js';
import type { RunRecord } from '../../../src/modules/workflow-runs/journal/run-recorder.js';
import { Vault } from '../../../src/platform/crypto/crypto.js';
import { eventually } from '../../support/eventually.js';
import { chain, llm, node, output, trigger } from '../../support/graphs.js';
import { sendJob } from '../../support/jobs/send-job.js';
import { startTestService, type TestService } from '../../support/service.js';

const AT = '2026-01-02T03:04:05.678Z';

const claimed = (): ClaimedRun => ({
  ...{ id: randomUUID(), projectId: 1, revisionId: 1, workflowId: 1, userId: 1, input: {}, sealedInput: null },
  ...{ token: 1, attempts: 1, sequence: 0, signals: 0, workedMs: 0, costUsd: '0', createdAt: new Date() },
  ...{
    parentRunId: null,
    scenarioRunId: null,
    ancestry: [],
    isOrphan: false,
    marketWorkflowId: null,
    runFee: null,
    traceparent: null,
    environment: null,
  },
  leaseExpiresAt: Number.POSITIVE_INFINITY,
});

/** A recorder whose first write is blocked until the test releases it. */
function slowRecorder() {
  const records: RunRecord[] = [];
  let release = () => {};
  const slow = new Promise<void>(resolve => {
    release = resolve;
  });
  const record = async (given: RunRecord) => {
    records.push(given);
    if (records.length === 1) await slow;
  };
  return { records, release: () => release(), record };
}

const reportOn = (record: (given: RunRecord) => Promise<void>) =>
  new RunReport({
    run: claimed(),
    graph: null,
    vault: new Vault('only for this test, 32 characters or more'),
    hide: event => event,
    earlier: [],
    recorder: { record },
    claims: { suspend: () => Promise.reject(new Error('does not wait')), assertLease: async () => {} },
    spending: { takeSettled: () => [] },
  });

const answered = (name: string) =>
  ({ type: 'node.succeeded', node: name, at: AT, content: '', durable: true }) as RunEvent;
const immediates = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
};

describe('the end of a run', () => {
  it.each([
    ['succeeded', { type: 'run.succeeded', at: AT, output: 'x' }],
    ['failed', { type: 'run.failed', at: AT, error: { code: 'x', message: 'y' }, output: null }],
  ] as const)('that %s is in the write that has its event, whichever write that is', async (state, end) => {
    const { records, release, record } = slowRecorder();
    const report = reportOn(record);
    const signal = new AbortController().signal;
    await report.submit([answered('a')], signal);
    await immediates();
    expect(records).toHaveLength(1);
    // Another write queues behind the slow one, and includes all events until it begins.
    await report.submit([answered('b')], signal);
    await immediates();
    const ended = report.submit([end as RunEvent], signal);
    release();
    await ended;
    expect(records.map(({ events, end }) => [events.map(({ type }) => type), end?.state ?? null])).toEqual([
      [['node.succeeded'], null],
      [['node.succeeded', end.type], state],
    ]);
    report.close();
  });
});

describe('a journal', () => {
  let service: TestService;
  let project: number;
  beforeAll(async () => {
    service = await startTestService();
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Ends' } })).body.id;
  });
  afterAll(() => service?.stop());

  async function start(data: unknown): Promise<string> {
    const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'E', data } });
    return (await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: {} })).body.data.id;
  }
  const stateOf = async (id: string) => {
    const [row] = await service.sql<{ state: string }>('select state from workflow_run where id = $1', [id]);
    return row?.state;
  };
  const typesOf = async (id: string) => {
    const rows = await service.sql<{ events: { type: string }[] }>(
      'select events from workflow_run_journal where run_id = $1 order by first_sequence',
      [id],
    );
    return rows.flatMap(({ events }) => events.map(({ type }) => type));
  };
  const ends = (types: string[]) => types.filter(type => /^run\.(succeeded|failed|cancelled)$/.test(type));
  const asking = chain(trigger(), llm('Hello', 'echo'), output());
  const agent = chain(
    trigger(),
    node('agent-node', {
      messages: [{ role: 'user', message: 'Hi' }],
      settings: { model_name: 'echo' },
      approval: 'always',
    }),
    output(),
  );

  it('has one end, by a constraint', async () => {
    const id = await start(asking);
    await eventually(
      () => stateOf(id),
      state => state === 'succeeded',
    );
    expect(ends(await typesOf(id))).toEqual(['run.succeeded']);
    for (const type of ['run.succeeded', 'run.failed', 'run.cancelled']) {
      const again = service.sql(
        `insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
         select id, created_at, sequence + 1, sequence + 2, $2 from workflow_run where id = $1`,
        [id, JSON.stringify([{ type: 'node.succeeded' }, { type }])],
      );
      await expect(again).rejects.toMatchObject({ code: '23505' });
    }
  });

  /** A waiting run, with the end in its journal and not in its row. */
  async function halfEnded(): Promise<string> {
    const id = await start(agent);
    await eventually(
      () => stateOf(id),
      state => state === 'waiting',
    );
    await service.sql(
      `with half as (
         update workflow_run set sequence = sequence + 1 where id = $1 returning id, created_at, sequence)
       insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
       select id, created_at, sequence, sequence, json_build_array(json_build_object(
         'type', 'run.succeeded', 'at', now(), 'output', 'there', 'sequence', sequence)) from half`,
      [id],
    );
    return id;
  }

  it('with an end that the row lacks ends the row, without a second end', async () => {
    const id = await halfEnded();
    await service.sql(`update workflow_run set state = 'running', wake_at = null where id = $1`, [id]);
    await sendJob(service, 'workflow-run', id);
    await eventually(
      () => stateOf(id),
      state => state === 'succeeded',
    );
    expect(ends(await typesOf(id))).toEqual(['run.succeeded']);
    const { body } = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`);
    expect(body.data).toMatchObject({ status: 'succeed', output: 'there' });
  });

  it('with an end that the row lacks ends the row at a cancellation, which changes nothing else', async () => {
    const id = await halfEnded();
    await service.sql(`update workflow_run set state = 'running', wake_at = null where id = $1`, [id]);
    const { errors } = await service.graphql(
      'mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }',
      { id },
    );
    expect(errors).toBeUndefined();
    expect(await stateOf(id)).toBe('succeeded');
    expect(ends(await typesOf(id))).toEqual(['run.succeeded']);
  });
});
