import { derivedUuid } from '../../../../src/platform/crypto/uuid.js';
import type { Random } from '../../../faults/suite/random.js';
import { chain, type GraphData, node, output, trigger } from '../../../support/graphs.js';
import type { TestService } from '../../../support/service.js';
import { ExpectedLog, type SimulatedRun } from './expected-log.js';
import type { SimulatedRunner } from './schedule-runners.js';
import { randomSchedule, settingsOf } from './simulated-schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TRIGGERS_PER_WORKFLOW = 20;

/** Counts of what happened. */
export interface SimulationTotals {
  passes: number;
  jumpsForward: number;
  jumpsBack: number;
  started: number;
  skipped: number;
  waiting: number;
}

/** Runs schedules over simulated time and compares their logs and runs with what their policies demand. */
export class Simulation {
  readonly totals: SimulationTotals = { passes: 0, jumpsForward: 0, jumpsBack: 0, started: 0, skipped: 0, waiting: 0 };
  readonly #logs: ExpectedLog[] = [];
  #open: SimulatedRun[] = [];
  #project = 0;

  constructor(
    private readonly service: TestService,
    private readonly random: Random,
  ) {}

  async createSchedules(count: number, from: number): Promise<void> {
    const { service } = this;
    const create = async (path: string, body: object) => {
      const answer = await service.rest('POST', path, { body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.id as number;
    };
    this.#project = await create('/api/v1/projects/', { name: 'Schedules' });
    let workflow = 0;
    for (let index = 0; index < count; index++) {
      if (index % TRIGGERS_PER_WORKFLOW === 0)
        workflow = await create('/api/v1/workflows/', { project: this.#project, title: 'W', data: waitingGraph() });
      const schedule = randomSchedule(this.random, index);
      const path = `/api/v1/workflows/${workflow}/triggers/`;
      const id = await create(path, { name: 'S', schedule: settingsOf(schedule) });
      const log = new ExpectedLog(id, schedule, from);
      await service.sql('update workflow_trigger set next_at = $2, start_at = $3 where id = $1', [
        ...[id, new Date(log.next!), new Date(log.startsAt)],
      ]);
      this.#logs.push(log);
    }
  }

  async run(from: number, to: number, runners: readonly SimulatedRunner[]): Promise<void> {
    let now = from;
    // The model has no occurrences after the end.
    const end = to - 1;
    while (now < end) {
      if (this.random.chance(0.02)) {
        this.totals.jumpsBack++;
        await this.#pass(now - this.random.between(1, 180) * MINUTE, runners);
      }
      now = Math.min(this.#nextTime(now), end);
      await this.#endRuns(now);
      for (const log of this.#logs) log.pass(now);
      await this.#pass(now, runners);
      this.#open = this.#logs.flatMap(({ runs }) => runs.slice(-3)).filter(run => !run.hasEnded);
    }
  }

  /** Returns the differences between what happened and what the policies demand. */
  async differences(): Promise<string[]> {
    const { service } = this;
    const differences: string[] = [];
    for (const { triggerId, entries, schedule } of this.#logs) {
      const rows = await service.sql<{ due_at: Date; outcome: string; reason: string | null }>(
        'select due_at, outcome, reason from trigger_firing where trigger_id = $1',
        [triggerId],
      );
      const seen = rows.map(row => lineOf({ ...row, dueAt: row.due_at.getTime() })).toSorted();
      const expected = entries.map(lineOf).toSorted();
      for (const { outcome } of entries) this.totals[outcome]++;
      const description = JSON.stringify(settingsOf(schedule));
      for (const line of surplus(seen, expected)) differences.push(`unexpected: ${line} of ${description}`);
      for (const line of surplus(expected, seen)) differences.push(`absent: ${line} of ${description}`);
    }
    const runs = await service.sql<{ id: string }>('select id from workflow_run where project_id = $1', [
      this.#project,
    ]);
    const ids = this.#logs.flatMap(log => log.runs.map(idOf)).toSorted();
    const seen = runs.map(({ id }) => id).toSorted();
    for (const id of surplus(seen, ids)) differences.push(`unexpected run ${id}`);
    for (const id of surplus(ids, seen)) differences.push(`absent run ${id}`);
    return differences;
  }

  /** Mostly just after the next occurrence, sometimes hours or days later, because no process was active or the clock jumped. */
  #nextTime(now: number): number {
    const next = Math.max(now, Math.min(...this.#logs.map(({ startsAt }) => startsAt), now + DAY));
    const late = next + this.random.between(0, 59) * 1_000;
    if (!this.random.chance(0.05)) return late;
    this.totals.jumpsForward++;
    return late + (this.random.chance(0.8) ? this.random.between(2, 12) * HOUR : this.random.between(1, 4) * DAY);
  }

  async #endRuns(now: number): Promise<void> {
    const ended = this.#open.filter(run => run.endsAt <= now);
    if (ended.length === 0) return;
    for (const run of ended) run.hasEnded = true;
    await this.service.sql(
      `update workflow_run set state = 'succeeded', run_finished_at = now() where id = any($1) and state = 'queued'`,
      [ended.map(idOf)],
    );
  }

  /** All runners at the same time. If one ended in its pass, the others repeat theirs until nothing is left. */
  async #pass(now: number, runners: readonly SimulatedRunner[]): Promise<void> {
    for (;;) {
      this.totals.passes++;
      const passes = await Promise.all(runners.map(runner => runner.pass(now)));
      if (passes.every(Boolean)) return;
      await this.#untilUnlocked();
    }
  }

  /** PostgreSQL ends the transactions of a killed process when it notices. */
  async #untilUnlocked(): Promise<void> {
    const busy = `select 1 from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
    while ((await this.service.sql(busy)).length > 0);
  }
}

function idOf({ triggerId, dueAt }: SimulatedRun): string {
  return derivedUuid(`trigger ${triggerId} ${new Date(dueAt).toISOString()}`);
}

function lineOf({ dueAt, outcome, reason }: { dueAt: number; outcome: string; reason: string | null }): string {
  return `${new Date(dueAt).toISOString()} ${outcome} ${reason ?? ''}`;
}

/** The members of `values` that `others`, also sorted, does not contain, counted. */
function surplus(values: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  return values.filter(value => {
    const left = counts.get(value) ?? 0;
    counts.set(value, left - 1);
    return left <= 0;
  });
}

/** Its runs stay in the queue, because no worker is active, until the simulation ends them. */
function waitingGraph(): GraphData {
  return chain(trigger(), node('delay-node', { seconds: 3_600 }), output());
}
