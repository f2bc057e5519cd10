import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ScenarioEvent } from '../../../src/engine/scenario/events/run-event.js';
import type { Message, Scenario } from '../../../src/engine/scenario/scenario.js';
import type { JournalEvent } from '../../../src/modules/scenario-runs/execution/scenario-run-journal.js';
import type { ScenarioRunRecord } from '../../../src/modules/scenario-runs/execution/scenario-run-recorder.js';
import { ScenarioRunReport } from '../../../src/modules/scenario-runs/execution/scenario-run-report.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { partsBy } from './part-makers.js';
import { scenarioRunsBy } from './scenario-run-requests.js';

const AT = '2026-01-02T03:04:05.678Z';

describe('the record of an end', () => {
  const createReport = (earlier: readonly JournalEvent[] = []) => {
    const messages = [1, 2, 3].map(id => ({ id, key: `m${id}`, sortId: id }) as Message);
    const scenario: Scenario = { messages, variables: [], insertedVariables: [] };
    const run = { id: randomUUID(), runId: 1, token: 1, projectId: 1, parentRunId: null, workedMs: 0 };
    return new ScenarioRunReport({ ...run, sequence: earlier.length }, scenario, earlier);
  };
  const take = (report: ScenarioRunReport): ScenarioRunRecord => report.takeRecord({ workedMs: 0, settle: () => [] });
  const contentOf = ({ events, end }: ScenarioRunRecord) => ({
    events: events.map(({ type, sequence }) => `${sequence} ${type}`),
    end: end?.status ?? null,
  });
  const skipped = (message: number): ScenarioEvent => ({
    type: 'message.skipped',
    message,
    round: 0,
    rounds: 0,
    at: AT,
  });
  const started = (message: number): ScenarioEvent => ({
    ...{ type: 'message.started', message, round: 0, rounds: 1, at: AT, attempt: 1, durable: true },
  });

  it.each<[status: string, end: ScenarioEvent]>([
    ['finished', { type: 'run.finished', at: AT, finalResult: null, isStopped: false }],
    ['error', { type: 'run.failed', at: AT, error: { code: 'x', message: 'y' } }],
  ])('%s is the record that has its event, with the events that wait for a record', (status, end) => {
    const report = createReport();
    report.add(started(1));
    expect(contentOf(take(report))).toEqual({ events: ['1 message.started'], end: null });
    for (const event of [skipped(2), skipped(3), end]) report.add(event);
    const events = ['2 message.skipped', '3 message.skipped', `4 ${end.type}`];
    expect(contentOf(take(report))).toEqual({ events, end: status });
    report.add(skipped(2));
    expect(contentOf(take(report))).toEqual({ events: ['5 message.skipped'], end: null });
  });

  it.each(['error', 'cancelled'] as const)('%s without the engine has the ends of all open rounds', status => {
    const opened = [started(1), started(2)].map((event, index) => ({ ...event, sequence: index + 1 }));
    const report = createReport(opened);
    report.fail({ code: 'x', message: 'y' }, status);
    const events = ['3 message.failed', '4 message.failed', '5 run.failed'];
    expect(contentOf(take(report))).toEqual({ events, end: status });
  });
});

describe('the journal of a scenario run', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;
  const parts = partsBy(
    () => service,
    () => service.key,
  );
  const { run, awaitEnd, createMessage } = scenarioRunsBy(parts, () => project);
  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    project = await parts.project();
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  it('has one end, by a constraint, in the record of the events that waited for it', async () => {
    const sent = await createMessage('Sent');
    const empty = await parts.variable(project, { variable_names: [] });
    const loop = await createMessage('Skipped', { is_loop: true, loop_variable: empty.id });
    const scenario = await parts.scenario(project, { messages: [sent.id, loop.id] });
    const { id } = (await run({ scenario: scenario.id })).body;
    expect((await awaitEnd(id)).status).toBe('finished');
    const records = await service.sql<{ events: { type: string }[] }>(
      'select events from scenario_run_journal where run_id = $1 order by first_sequence',
      [id],
    );
    expect(records.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['message.started'],
      ['message.succeeded'],
      ['message.skipped', 'run.finished'],
    ]);
    const append = (events: { type: string }[]) =>
      service.sql(
        `insert into scenario_run_journal (run_id, first_sequence, last_sequence, events)
         select id, sequence + 1, sequence + 2, $2 from scenario_run where id = $1 returning run_id`,
        [id, JSON.stringify(events)],
      );
    for (const type of ['run.finished', 'run.failed'])
      await expect(append([{ type: 'message.skipped' }, { type }])).rejects.toMatchObject({
        code: '23505',
        constraint: 'scenario_run_journal_one_end',
      });
    expect(await append([{ type: 'message.skipped' }, { type: 'message.skipped' }])).toEqual([{ run_id: id }]);
  });
});
