import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readReadyJobs } from '../../src/durable/backlog.sql.js';
import { DEAD_LETTER_QUEUES } from '../../src/durable/dead-letters.js';
import type { Queue, QueueOptions } from '../../src/durable/queue.js';
import { queueMetrics } from '../../src/durable/queue-metrics.js';
import { TASK_JOBS, TASK_QUEUE } from '../../src/durable/scheduled-tasks.js';
import { QUEUES } from '../../src/modules/registry.js';
import type { Database, Sql } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { openDatabase } from '../support/database.js';
import { openQueue } from '../support/jobs/open-queue.js';
import { readPage } from '../support/readme/readme.js';

/** A queue that a later release registers. */
const LATER = 'a-later-queue';
const REGISTERED: Record<string, QueueOptions> = { ...QUEUES, [TASK_QUEUE]: TASK_JOBS, [LATER]: {} };
const NAMES = Object.keys(REGISTERED).sort();
const DEPTH = 'scenarium_queue_jobs';
const AGE = 'scenarium_queue_oldest_job_seconds';
const HOUR_SECONDS = 3_600;

let database: Database;
let queue: Queue;
// No process fetches these jobs, and none counts them.
beforeAll(async () => {
  database = await openDatabase();
  queue = await openQueue(database, REGISTERED);
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

/** Adds to each queue two jobs that were due for one and for two hours, and one that is due in an hour. */
function addJobs(): Promise<unknown> {
  return database.query(
    `insert into pgboss.job (name, start_after)
     select name, now() - hours * interval '1 hour' from unnest($1::text[]) name, unnest(array[2, 1, -1]) hours`,
    [NAMES],
  );
}

/** Reads the metrics as at the first scrape, because later ones may get cached values. */
async function readByQueue(name: string, state?: string): Promise<Record<string, number>> {
  const metric = queueMetrics(queue, database, createLog('silent')).find(one => one.name === name);
  const samples = (await metric?.read()) ?? [];
  const ofState = samples.filter(({ labels }) => labels?.state === state && REGISTERED[`${labels?.queue}`]);
  return Object.fromEntries(ofState.map(({ labels, value }) => [labels?.queue, value]));
}

const forEach = (value: number) => Object.fromEntries(NAMES.map(name => [name, value]));

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const scansIn = (plan: Plan): Plan[] => [
  ...(plan['Relation Name'] ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(part => scansIn(part)),
];

describe('every registered queue', () => {
  it('has the number of its ready jobs and the age of the oldest, also while no worker runs', async () => {
    expect(NAMES.length).toBeGreaterThan(14);
    expect(await readByQueue(DEPTH, 'ready')).toEqual(forEach(0));
    expect(await readByQueue(AGE)).toEqual(forEach(0));
    await addJobs();
    expect(await readByQueue(DEPTH, 'ready')).toEqual(forEach(2));
    const ages = await readByQueue(AGE);
    expect(Object.keys(ages).sort()).toEqual(NAMES);
    for (const age of Object.values(ages)) expect(Math.abs(age - 2 * HOUR_SECONDS)).toBeLessThan(HOUR_SECONDS / 2);
    await database.query('delete from pgboss.job where name = any($1)', [NAMES]);
    expect(await readByQueue(AGE)).toEqual(forEach(0));
  });

  it('is read by an index of unfinished jobs, with and without statistics of the table', async () => {
    await database.query(
      `insert into pgboss.job (name, state, start_after, completed_on)
       select $1, 'completed', now() - interval '1 hour', now() from generate_series(1, 5000)`,
      [LATER],
    );
    const plans: Plan[] = [];
    const explaining = {
      query: async (text: string) => {
        const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`);
        plans.push(row!['QUERY PLAN'][0].Plan);
        return [];
      },
    } as unknown as Sql;
    await database.query(`update pg_class set relpages = 0, reltuples = -1 where relname = 'job_common'`);
    await readReadyJobs(explaining);
    await database.query('analyze pgboss.job_common');
    await readReadyJobs(explaining);
    for (const plan of plans) {
      const scans = scansIn(plan).filter(scan => scan['Relation Name'] !== 'queue');
      expect(scans).toEqual([expect.objectContaining({ 'Index Name': expect.stringMatching(/^job_common_i11/) })]);
      expect(scans[0]?.['Index Cond']).toMatch(/name = q\.name.*start_after <= now\(\)/);
    }
    expect(plans).toHaveLength(2);
  });
});

interface Rule {
  alert: string;
  expr: string;
}

/** Whether an expression selects the samples of a metric that have these labels. */
function selects(expr: string, metric: string, labels: Record<string, string>): boolean {
  for (const [, selected, matchers = ''] of expr.matchAll(/\b([a-z_]+)(?:\{([^}]*)\})?/g)) {
    if (selected !== metric) continue;
    const isMatch = [...matchers.matchAll(/(\w+)\s*(!?[=~]+)\s*"([^"]*)"/g)].every(
      ([, label = '', operator = '', value = '']) => {
        const actual = labels[label] ?? '';
        const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
        return isEqual !== operator.startsWith('!');
      },
    );
    if (isMatch) return true;
  }
  return false;
}

describe('the alerts and the dashboard', () => {
  const rules: Rule[] = parse(readPage('deploy/prometheus/alerts.yaml')).groups[0].rules;
  const panels: { targets?: { expr: string }[] }[] = JSON.parse(readPage('deploy/grafana/scenarium.json')).panels;
  const alertsOf = (metric: string, labels: Record<string, string>) =>
    rules.filter(({ expr }) => selects(expr, metric, labels)).map(({ alert }) => alert);

  it.each(NAMES.filter(name => !(name in DEAD_LETTER_QUEUES)))('cover the depth and the age of %s', name => {
    const depth = { queue: name, state: 'ready', job: 'scenarium' };
    expect([alertsOf(DEPTH, depth), alertsOf(AGE, { queue: name })]).toEqual([
      ['ScenariumJobsDeep'],
      ['ScenariumJobsOld'],
    ]);
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replace('$job', '.*')));
    expect(expressions.some(expr => selects(expr, DEPTH, depth))).toBe(true);
    expect(expressions.some(expr => selects(expr, AGE, depth))).toBe(true);
  });

  it.each(Object.keys(DEAD_LETTER_QUEUES))('leave %s, from which no worker fetches, to their own metric', name => {
    expect([alertsOf(DEPTH, { queue: name, state: 'ready' }), alertsOf(AGE, { queue: name })]).toEqual([[], []]);
  });
});
