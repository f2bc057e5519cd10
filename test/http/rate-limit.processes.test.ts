import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

const PROCESSES = 4;
const LIMIT = 60;

let processes: ServiceProcess[];
let service: TestService;

beforeAll(async () => {
  const database = await createDatabase();
  // Reads the database, and answers no request.
  service = await startTestService({ role: 'worker' }, database);
  const environment = { ...testEnvironment(database), ROLE: 'api', RATE_LIMIT_PER_MINUTE: String(LIMIT) };
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(environment)));
});
afterAll(async () => {
  await Promise.all(processes.map(each => each.end()));
  await service.stop();
});

async function ask(nth: number): Promise<number> {
  const { url } = processes[nth % PROCESSES]!;
  const response = await fetch(`${url}/api/v1/projects/?size=0`, { headers: { 'X-Api-Key': ADMIN_KEY } });
  await response.arrayBuffer();
  return response.status;
}

it('permits exactly as many requests of a key as its limit, over all processes, and recovers on time', async () => {
  const answers = await Promise.all(Array.from({ length: 400 }, (_, nth) => ask(nth)));
  expect(Map.groupBy(answers, status => status).get(200)).toHaveLength(LIMIT);
  expect(answers.filter(status => status === 429)).toHaveLength(400 - LIMIT);

  const [{ seconds } = { seconds: null }] = await service.sql(
    `select extract(epoch from opened_at + interval '60 seconds' - now())::float8 as seconds from api_key_window`,
  );
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  await service.sql(`update api_key_window set opened_at = opened_at - make_interval(secs => $1)`, [seconds - 20]);
  expect(await ask(0)).toBe(429);
  await service.sql(`update api_key_window set opened_at = opened_at - interval '20 seconds'`);
  const again = await Promise.all(Array.from({ length: 100 }, (_, nth) => ask(nth)));
  expect(again.filter(status => status === 200)).toHaveLength(LIMIT);
});
