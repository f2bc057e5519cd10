import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { startProcess } from '../support/processes/process.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

/** The process that takes a request dies before or after the commit, and the caller sends the request again. */
describe('a request whose process is killed', () => {
  let service: TestService;
  let workflow: number;
  const count = async (table: string) =>
    (await service.sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count;

  beforeAll(async () => {
    service = await startTestService({ role: 'api' }, await createDatabase());
    workflow = await createWorkflow(service, pureGraph());
  });
  afterAll(() => service.stop());

  async function sendToCrashingProcess(point: string, path: string, body: unknown, headers: Record<string, string>) {
    const api = await startProcess({ ...testEnvironment(service.database), ROLE: 'api', CRASH_AT: point });
    const sent = fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await expect(sent).rejects.toThrow('fetch failed');
    expect((await api.exited).signal).toBe('SIGKILL');
  }

  it.each([
    ['accept.before-commit', 0],
    ['accept.after-commit', 1],
  ])('starts one run for one idempotency key (%s)', async (point, committed) => {
    const before = (await count('workflow_run')) ?? 0;
    const [path, body] = [`/api/v1/workflows/${workflow}/run/`, { topic: 'cats' }];
    const headers = { 'Idempotency-Key': randomUUID() };
    await sendToCrashingProcess(point, path, body, headers);
    expect(await count('workflow_run')).toBe(before + committed);
    expect((await service.rest('POST', path, { body, headers })).status).toBe(409);
    // Lets the claim of the dead process on the key expire.
    await service.sql(`update idempotency_key set claimed_until = now() - interval '1 second' where key = $1`, [
      headers['Idempotency-Key'],
    ]);
    const again = await service.rest('POST', path, { body, headers });
    expect(again.body).toMatchObject({ status: 201, data: { status: 'in queue' } });
    expect(await service.sql('select id from workflow_run where id = $1', [again.body.data.id])).toHaveLength(1);
    expect(await count('workflow_run')).toBe(before + 1);
  });

  it.each([
    ['accept.before-commit', 0],
    ['accept.after-commit', 1],
  ])('starts one run of a submitted graph for one task id (%s)', async (point, committed) => {
    const [runs, revisions] = [(await count('workflow_run')) ?? 0, (await count('workflow_revision')) ?? 0];
    const [id, body] = [randomUUID(), { data: pureGraph(), input_data: { topic: 'cats' } }];
    const path = `/api/v1/workflows/run/?task_id=${id}`;
    await sendToCrashingProcess(point, path, body, {});
    expect(await count('workflow_revision')).toBe(revisions + committed);
    const again = await service.rest('POST', path, { body });
    expect(again).toMatchObject({ status: 200, body: { status: 201, data: { id, status: 'in queue' } } });
    expect([await count('workflow_run'), await count('workflow_revision')]).toEqual([runs + 1, revisions + 1]);
  });
});
