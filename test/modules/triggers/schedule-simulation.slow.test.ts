import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../faults/suite/random.js';
import { testEnvironment } from '../../support/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { RunnerProcess } from './simulation/runner-fleet.js';
import { YEAR } from './simulation/simulated-schedule.js';
import { Simulation } from './simulation/simulation.js';

const isComplete = process.env.FAULTS === 'all';
/** Schedules, simulated days, and the share of passes in which a process is killed. */
const [SCHEDULES, DAYS, KILLS] = isComplete ? [200, 365, 0.002] : [60, 14, 0.02];
const SEED = Number(process.env.FAULTS_SEED ?? 26);
const HOURS_3 = 3 * 3_600_000;

/** `FAULTS=all` simulates a year of 200 schedules; `FAULTS_SEED` repeats a failure. */
describe('schedules over a simulated year', () => {
  let service: TestService;
  const processes: RunnerProcess[] = [];

  beforeAll(async () => {
    // No process executes runs: the simulation ends them at their simulated time.
    service = await startTestService({ role: 'api' });
    const environment = { ...testEnvironment(service.database), ROLE: 'api' };
    for (let index = 0; index < 3; index++) {
      const runner = new RunnerProcess(environment, new Random(SEED + index + 1), KILLS);
      processes.push(runner);
      await runner.open();
    }
  });
  afterAll(async () => {
    for (const runner of processes) runner.close();
    await service?.stop();
  });

  it(
    'start each occurrence once or as its policy demands, with three processes that are killed and a clock that jumps',
    async () => {
      const simulation = new Simulation(service, new Random(SEED));
      // The two weeks contain a daylight-saving transition: that of Europe on 28 March.
      const from = isComplete ? YEAR.start : Date.parse('2027-03-20T00:00:00Z');
      await simulation.createSchedules(SCHEDULES, from);
      await simulation.run(from, from + DAYS * 86_400_000, processes);
      const differences = await simulation.differences();
      const kills = processes.reduce((sum, runner) => sum + runner.kills, 0);
      console.log(JSON.stringify({ seed: SEED, schedules: SCHEDULES, days: DAYS, kills, ...simulation.totals }));
      expect(differences).toEqual([]);
      expect(kills).toBeGreaterThan(0);
    },
    HOURS_3,
  );
});
