import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testEnvironment } from '../support/config.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { cli } from './entry.js';

let service: TestService;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  const database = await createDatabase();
  environment = testEnvironment(database);
  service = await startTestService({}, database);
  folder = await mkdtemp(path.join(process.env.TEST_DATA_DIR as string, 'audit-'));
  // Every second entry has the same time, so that the export must continue within one time.
  await service.sql(
    `insert into audit_entry (id, created_at, action, via, object_type, object_id, detail)
     select gen_random_uuid(), timestamptz '2020-05-01Z' + n * interval '1 millisecond' * (n % 2), 'old.action', 'operator', 'thing', n::text,
            json_build_object('note', E'two\\nlines', 'n', n)
       from generate_series(1, 2500) n`,
  );
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (name: string) => path.join(folder, name);
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');
const countOld = async () =>
  (await service.sql(`select count(*)::int as count from audit_entry where action = 'old.action'`))[0]!.count;
const run = (file: string, ...more: string[]) =>
  cli(['audit', 'export', '--before', '2020-06-01', '--file', file, ...more], environment);

it('writes each entry as one line of JSON, and changes nothing', async () => {
  const file = inFolder('copy.jsonl');
  expect(await run(file)).toEqual({ code: 0, stdout: '2500 entries copied to the file.\n', stderr: '' });
  const entries = (await linesOf(file)).map(line => JSON.parse(line));
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2500);
  expect(new Set(entries.map(({ detail }) => detail.n)).size).toBe(2500);
  expect(entries[0]).toMatchObject({ action: 'old.action', via: 'operator', object_type: 'thing', user: null });
  expect(await countOld()).toBe(2500);
});

it('overwrites no file, and refuses a day that has not begun or does not exist', async () => {
  expect(await run(inFolder('copy.jsonl'), '--prune')).toMatchObject({
    code: 1,
    stderr: '--file: the file exists; name a new one.\n',
  });
  for (const day of ['2999-01-01', '2020-02-30', '2020-6-1', 'yesterday']) {
    const answer = await cli(['audit', 'export', '--before', day, '--file', inFolder('no')], environment);
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('--before takes a day that has begun') });
  }
  expect(await countOld()).toBe(2500);
});

it('removes the exported rows on request and records this in the log', async () => {
  const file = inFolder('moved.jsonl');
  const others = (await service.sql('select count(*)::int as count from audit_entry'))[0]!.count - 2500;
  expect(await run(file, '--prune')).toEqual({ code: 0, stdout: '2500 entries moved to the file.\n', stderr: '' });
  expect(await linesOf(file)).toHaveLength(2500);
  expect(await countOld()).toBe(0);
  const log = await service.sql('select action, detail from audit_entry order by created_at desc, id desc');
  expect(log).toHaveLength(others + 1);
  expect(log[0]).toEqual({ action: 'audit.prune', detail: { before: '2020-06-01T00:00:00.000Z' } });
});
