import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testEnvironment } from '../support/config.js';
import { joinProject } from '../support/members.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { cli } from './entry.js';

let service: TestService;
let environment: Record<string, string>;

beforeAll(async () => {
  const database = await createDatabase();
  environment = testEnvironment(database);
  service = await startTestService({ role: 'api' }, database);
});
afterAll(() => service?.stop());

async function projectOfSeed(email: string): Promise<number> {
  const { code, stdout, stderr } = await cli(['seed', '--email', email], environment);
  expect([code, stderr]).toEqual([0, '']);
  return Number(/^Project (\d+) "Demo"/.exec(stdout)?.[1]);
}

it.each([
  ['viewer', 'another project'],
  ['editor', 'this project'],
])('seeds, for a %s of a project with the name of the sample project, %s', async (role, seeded) => {
  const { email } = await service.createUser(role);
  const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Demo' } });
  await joinProject(service, project.id, email, role);
  const id = await projectOfSeed(email);
  expect(id === project.id ? 'this project' : 'another project').toBe(seeded);
  expect(await projectOfSeed(email)).toBe(id);
});
