import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createWorkflow, pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { awaitFinish } from './finished-run.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pageMaxBytes: 100_000 });
});
afterAll(() => service?.stop());

it('a page of the history answers for a hundred runs of five megabytes each, compressible or not', async () => {
  const workflow = await createWorkflow(service, pureGraph());
  const { body: started } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'x' } });
  const id = started.data.id;
  await awaitFinish(service, id);
  for (const text of [
    `repeat('y', 5000000)`,
    // Hexadecimal digits compress to half at best.
    `(select string_agg(encode(sha256((n || salt)::text::bytea), 'hex'), '') from generate_series(1, 78125) n)`,
  ]) {
    const copy = (run: string, times: number, result: string) =>
      service.sql<{ id: string }>(
        `with copy as (
           insert into workflow_run (id, project_id, workflow_id, revision_id, state, run_started_at, run_finished_at)
           select gen_random_uuid(), project_id, workflow_id, revision_id, state, now(), now()
             from workflow_run, generate_series(1, $2::int) where id = $1
           returning id, created_at)
         insert into workflow_run_payload (run_id, run_created_at, input, result)
         select c.id, c.created_at, p.input, ${result} from copy c, workflow_run_payload p where p.run_id = $1
         returning run_id as id`,
        [run, times],
      );
    // The text is generated and compressed once; its copies are stored unchanged.
    const [first] = await copy(id, 1, `json_build_object('data', null, 'output', ${text.replace('salt', `'a'`)})`);
    await copy(first!.id, 99, 'p.result');
    const { status, body, headers } = await service.rest('GET', `/api/v1/workflows/${workflow}/history/?size=100`);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(100);
    expect(headers.get('x-scenarium-shortened')?.split(', ').length).toBeGreaterThan(98);
    const one = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${body.items[50].id}/`);
    expect(one.body.result.output).toHaveLength(5_000_000);
  }
});
