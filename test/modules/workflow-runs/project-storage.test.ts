import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import type { Database } from '../../../src/platform/database/database.js';
import { partsBy } from '../../rest/scenarios/part-makers.js';
import { openDatabase } from '../../support/database.js';
import { formOf } from '../../support/forms.js';
import { startTestService, type TestService } from '../../support/service.js';

const MIB = 1024 * 1024;

let service: TestService;
let database: Database;
let ann: { email: string; key: string };
let project: number;
const parts = partsBy(
  () => service,
  () => ann.key,
);
beforeAll(async () => {
  service = await startTestService({ projectStorageBytes: 2 * MIB });
  database = await openDatabase(service.database);
  ann = await service.createUser('ann');
});
afterAll(async () => {
  expect(await new Reconciliation(database).differences()).toEqual([]);
  await database.close();
  await service.stop();
});
beforeEach(async () => {
  project = await parts.project();
});

const upload = (...sizes: number[]) => {
  const files = sizes.map((size, index) => [`file${index + 1}`, [`${index}.txt`, 'x'.repeat(size)]] as const);
  return parts.call('POST', 'documents/', {
    body: formOf({ project: String(project) }, Object.fromEntries(files) as any),
  });
};
const use = async () => (await parts.call('GET', `projects/${project}/storage/`)).body;
const setLimit = (limitMb: number | null, key = service.key) =>
  service.graphql(
    'mutation ($p: Int!, $mb: Int) { projectStorageLimitSet(projectId: $p, limitMb: $mb) { project { storage { usedBytes limitBytes } } } }',
    { p: project, mb: limitMb },
    key,
  );

it('counts stored bytes, and releases them with the document', async () => {
  expect(await use()).toEqual({ used_bytes: 0, limit_bytes: 2 * MIB });
  const [first] = (await upload(1000, 500)).body;
  expect(await use()).toEqual({ used_bytes: 1500, limit_bytes: 2 * MIB });
  const body = formOf({}, { file: ['b.txt', 'y'.repeat(300)] });
  expect((await parts.call('PATCH', `documents/${first.id}/`, { body })).status).toBe(200);
  expect((await use()).used_bytes).toBe(800);
  await parts.call('DELETE', `documents/${first.id}/`);
  expect((await use()).used_bytes).toBe(500);
});

it('refuses a file that does not fit, and reports why and what to do', async () => {
  expect((await upload(1.5 * MIB)).status).toBe(201);
  const refused = await upload(10, MIB);
  expect(refused.status).toBe(413);
  expect(refused.body.code).toBe('payload_too_large');
  expect(refused.body.detail).toBe(
    `The storage quota of the project is exceeded: ${1.5 * MIB} of ${2 * MIB} bytes are used and ${MIB + 10} more are needed. Delete documents or runs with images, or ask an administrator for a larger quota.`,
  );
  expect(await use()).toEqual({ used_bytes: 1.5 * MIB, limit_bytes: 2 * MIB });
  expect((await upload(0.5 * MIB)).status).toBe(201);
  const full = await upload(1);
  expect(full.status).toBe(413);
  expect(full.body.detail).toContain(`${2 * MIB} of ${2 * MIB} bytes are used.`);
});

it('the limit holds for simultaneous uploads', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => upload(0.3 * MIB)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
  expect(answers.filter(({ status }) => status === 413)).toHaveLength(6);
  const [stored] = await service.sql('select sum(size)::int as bytes from document where project_id = $1', [project]);
  expect((await use()).used_bytes).toBe(stored!.bytes);
});

it('the limit is set by administrators only; one below the present use only refuses growth', async () => {
  expect((await setLimit(1, ann.key)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  const [document] = (await upload(1.5 * MIB)).body;
  expect((await setLimit(1)).data.projectStorageLimitSet.project.storage).toEqual({
    usedBytes: 1.5 * MIB,
    limitBytes: MIB,
  });
  const replace = (size: number) =>
    parts.call('PATCH', `documents/${document.id}/`, { body: formOf({}, { file: ['b.txt', 'y'.repeat(size)] }) });
  expect((await replace(1.6 * MIB)).status).toBe(413);
  expect((await replace(1.4 * MIB)).status).toBe(200);
  expect((await setLimit(0)).data.projectStorageLimitSet.project.storage.limitBytes).toBeNull();
  expect((await upload(3 * MIB)).status).toBe(201);
  expect((await setLimit(null)).data.projectStorageLimitSet.project.storage.limitBytes).toBe(2 * MIB);
  expect((await setLimit(-1)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  const log = await service.sql(
    `select detail from audit_entry where action = 'project.set-storage-limit' and project_id = $1 order by id`,
    [project],
  );
  expect(log.map(({ detail }) => detail)).toEqual([{ limitMb: 1 }, { limitMb: 0 }, { limitMb: null }]);
});

it('counts images of runs, and releases them with the run or the project', async () => {
  const [run] = await service.sql(
    `insert into scenario_run (billing_id, project_id, status) values (gen_random_uuid(), $1, 'finished') returning id`,
    [project],
  );
  await service.sql(
    `insert into scenario_run_file (result_file, run_id, content_type, size)
     select 'image-' || n, $1, 'image/png', 100 from generate_series(1, 3) n`,
    [run!.id],
  );
  expect((await use()).used_bytes).toBe(300);
  await service.sql('delete from scenario_run where id = $1', [run!.id]);
  expect((await use()).used_bytes).toBe(0);
  await upload(1000);
  expect((await parts.call('DELETE', `projects/${project}/`)).status).toBe(204);
  expect(await service.sql('select * from project_storage where project_id = $1', [project])).toEqual([]);
});

it('the number of used bytes is checked and corrected by reconcile', async () => {
  await upload(600);
  const body = formOf({ project: String(project) }, { file: ['a.txt', 'x'.repeat(400)] });
  expect((await parts.call('POST', 'files/', { body })).status).toBe(201);
  expect(await new Reconciliation(database).differences()).toEqual([]);
  await service.sql('update project_storage set used_bytes = 7 where project_id = $1', [project]);
  const reconciliation = new Reconciliation(database);
  expect(await reconciliation.differences()).toEqual([
    { subject: `used_bytes of project ${project}`, is: '7', shouldBe: '1000' },
  ]);
  await reconciliation.fix();
  expect((await use()).used_bytes).toBe(1000);
});
