import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Queue } from '../../src/durable/queue.js';
import {
  EVERY_MINUTE,
  HOURLY,
  type ScheduledTask,
  TASK_JOBS,
  TASK_QUEUE,
  TaskScheduler,
} from '../../src/durable/scheduled-tasks.js';
import { ensureQueues } from '../../src/durable/worker.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const log = createLog('silent');
let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

/** Two processes with the same tasks. */
async function startTwo(tasks: readonly ScheduledTask[]) {
  const processes: { queue: Queue; scheduler: TaskScheduler }[] = [];
  for (let count = 0; count < 2; count++) {
    const queue = new Queue(database, new Bus(database.url, log), log, { fetchesJobs: false });
    await queue.start();
    await ensureQueues(queue, { [TASK_QUEUE]: TASK_JOBS });
    const scheduler = new TaskScheduler(queue, log, tasks);
    scheduler.start();
    processes.push({ queue, scheduler });
  }
  return {
    boss: processes[0]!.queue.boss,
    async stop() {
      for (const { scheduler } of processes) await scheduler.stop(1_000);
      for (const { queue } of processes) await queue.stop();
    },
  };
}

const task = (name: string, cron: string, run: () => Promise<unknown>): ScheduledTask => ({ name, cron, run });
const unfinishedJobs = () =>
  database.query(`select 1 from pgboss.job where name = $1 and state < 'completed'`, [TASK_QUEUE]);

it('each scheduled task is executed by one process when processes start together', async () => {
  // Processes start together when they start in the same minute.
  const readMinutes = async () => {
    const [now] = await database.query<{ minutes: number }>('select extract(epoch from now())::float8 / 60 as minutes');
    return now!.minutes;
  };
  const startedAt = Math.floor(await eventually(readMinutes, minutes => minutes % 1 < 1 / 3));
  const done: string[] = [];
  const note = (name: string) => async () => done.push(name);
  const names = ['one thing', 'another', 'a third', 'a fourth'];
  const two = await startTwo([
    ...names.map(name => task(name, HOURLY, note(name))),
    task('a failing one', EVERY_MINUTE, async () => {
      done.push('a failing one');
      throw new Error('no');
    }),
  ]);
  await eventually(
    async () => new Set(done),
    all => all.size >= 5,
  );
  await eventually(unfinishedJobs, rows => rows.length === 0);
  const failing = done.filter(name => name === 'a failing one').length;
  expect(done.filter(name => name !== 'a failing one').toSorted()).toEqual(names.toSorted());
  // On a busy machine further minutes may have begun meanwhile.
  expect(failing).toBeLessThanOrEqual(1 + Math.floor(await readMinutes()) - startedAt);
  expect(failing).toBeGreaterThan(0);
  expect((await two.boss.getSchedules(TASK_QUEUE)).map(({ key, cron }) => [key, cron]).toSorted()).toEqual([
    ['a-failing-one', EVERY_MINUTE],
    ['a-fourth', HOURLY],
    ['a-third', HOURLY],
    ['another', HOURLY],
    ['one-thing', HOURLY],
  ]);
  await two.stop();
});

it('tasks are scheduled as soon as the database is reachable', async () => {
  const queue = new Queue(database, new Bus(database.url, log), log, { fetchesJobs: false });
  await queue.start();
  await ensureQueues(queue, { [TASK_QUEUE]: TASK_JOBS });
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const reading = jest.spyOn(queue.boss, 'getSchedules').mockRejectedValueOnce(unreachable);
  const scheduler = new TaskScheduler(queue, log, [task('a late one', HOURLY, async () => {})]);
  scheduler.start();
  await eventually(
    () => database.query('select 1 from pgboss.schedule where key = $1', ['a-late-one']),
    rows => rows.length === 1,
  );
  expect(reading).toHaveBeenCalledTimes(2);
  await scheduler.stop(1_000);
  await queue.stop();
});

it('a task that this release does not have is unscheduled', async () => {
  const two = await startTwo([task('another', HOURLY, async () => {})]);
  await eventually(
    () => two.boss.getSchedules(TASK_QUEUE),
    schedules => schedules.length === 1 && schedules[0]!.key === 'another',
  );
  await two.stop();
});
