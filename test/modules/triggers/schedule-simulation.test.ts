import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../faults/suite/random.js';
import { testConfig } from '../../support/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openRunners } from './simulation/schedule-runners.js';
import { Simulation } from './simulation/simulation.js';

const SCHEDULES = 40;

/** A part of `schedule-simulation.slow.test.ts`, in one process. */
describe('schedules over simulated days', () => {
  let service: TestService;
  let opened: Awaited<ReturnType<typeof openRunners>>;
  const random = new Random(26);

  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    const failSometimes = () => {
      if (random.chance(0.03)) throw new Error('the process ended');
    };
    opened = await openRunners(testConfig(service.database, { role: 'api' }), 3, failSometimes);
  });
  // The runners start every schedule of the database, also those of an earlier simulation.
  afterEach(() => service?.sql('delete from workflow_trigger'));
  afterAll(async () => {
    await opened?.close();
    await service?.stop();
  });

  it.each([
    ['2027-03-26T00:00:00Z', '2027-03-30T00:00:00Z'],
    ['2027-10-29T00:00:00Z', '2027-11-02T00:00:00Z'],
  ])('start each occurrence once or as its policy demands (from %s)', async (from, to) => {
    const simulation = new Simulation(service, random);
    await simulation.createSchedules(SCHEDULES, Date.parse(from));
    const runners = opened.runners.map(runner => ({
      pass: (now: number) =>
        runner.pass(now).catch((error: Error) => {
          if (error.message !== 'the process ended') throw error;
          return false;
        }),
    }));
    await simulation.run(Date.parse(from), Date.parse(to), runners);
    expect(await simulation.differences()).toEqual([]);
    expect(simulation.totals.started).toBeGreaterThan(SCHEDULES);
  });
});
