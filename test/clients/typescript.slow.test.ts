import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../pages/browser.js';
import { ROOT } from '../support/readme/readme.js';
import { ClientFixture, isCountedFromOne } from './client-fixture.js';

const SOURCE = path.join(ROOT, 'clients/typescript');
const EXERCISE = 'exercise.mjs';
const MAX_PACKAGE_BYTES = 100_000;

const run = promisify(execFile);
const apiError = (code: string, status: number) => ({
  ...{ name: 'ApiError', code, status, hasFields: false, hasRequestId: true },
});

let fixture: ClientFixture;
/** A folder with the installed package. */
let folder: string;
let tarball: { name: string; size: number; files: string[] };

beforeAll(async () => {
  fixture = await ClientFixture.open();
  folder = await mkdtemp(path.join(process.env.TEST_DATA_DIR as string, 'client-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: SOURCE });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as {
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  tarball = {
    name: path.join(folder, packed!.filename),
    size: packed!.size,
    files: packed!.files.map(file => file.path),
  };
  await writeFile(path.join(folder, 'package.json'), '{ "name": "user", "type": "module", "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.name], { cwd: folder });
  await copyFile(path.join(SOURCE, 'test', EXERCISE), path.join(folder, EXERCISE));
});
afterAll(() => fixture?.close());

const targetOf = () => ({
  url: fixture.service.url,
  key: fixture.service.key,
  project: fixture.project,
  workflow: fixture.workflow,
});

/** Checks the results of `exercise` and `exerciseRetries`, which are the same in Node and in a browser. */
function expectResults({ live, retries }: { live: any; retries: any }): void {
  expect(live).toEqual({
    output: 'about cats',
    isOneRun: true,
    kinds: expect.arrayContaining(['NODE_STARTED', 'NODE_SUCCEEDED', 'RUN_SUCCEEDED']),
    sequences: expect.any(Array),
    sequencesAfter2: live.sequences.slice(2),
    documents: [
      ['one.txt', 5],
      ['ähm.txt', 6],
      ['three.txt', 5],
    ],
    chat: expect.stringContaining('Hello from a test'),
    isStreamed: true,
    project: { id: fixture.project },
    refused: expect.objectContaining({ name: 'RefusedError', hasFields: true }),
    // An error in a stream, whose response has begun with status 200.
    missing: apiError('NOT_FOUND', 200),
    unknownModel: expect.objectContaining({ name: 'ApiError', hasRequestId: true }),
    wrongKey: apiError('UNAUTHENTICATED', 401),
    aborted: 'the reason of the signal',
  });
  expect(isCountedFromOne(live.sequences)).toBe(true);
  expect(retries).toEqual({
    run: 'r',
    keys: 1,
    attempts: 3,
    givenUp: expect.objectContaining({ name: 'ApiError', status: 503 }),
    isLostQueryRepeated: true,
    isLostMutationReported: true,
    cutQuery: true,
    notJson: 'The response is not JSON. Check the address of the service.',
    watchGivesUp: [
      ['ConnectionError', 3],
      ['ApiError', 3],
    ],
    abortedInBody: true,
    uploadedType: 'text/csv',
    sequences: [1, 2, 3],
    resumedAfter: [0, 2, 2],
  });
}

it('installs without dependencies, and contains only compiled files with types', async () => {
  expect(tarball.size).toBeLessThan(MAX_PACKAGE_BYTES);
  expect(tarball.files.filter(file => !/^(dist\/[\w.-]+\.(js|d\.ts)|package\.json|README\.md)$/.test(file))).toEqual(
    [],
  );
  expect((await readdir(path.join(folder, 'node_modules'))).filter(name => !name.startsWith('.'))).toEqual([
    '@scenarium',
  ]);
});

it('works in Node', async () => {
  const script = `
    import * as client from '@scenarium/client';
    import { exercise, exerciseRetries } from './${EXERCISE}';
    const live = await exercise(client, JSON.parse(process.argv[2]));
    console.log(JSON.stringify({ live, retries: await exerciseRetries(client) }));`;
  await writeFile(path.join(folder, 'main.mjs'), script);
  const { stdout } = await run(process.execPath, ['main.mjs', JSON.stringify(targetOf())], { cwd: folder });
  expectResults(JSON.parse(stdout));
});

it('provides types that accept correct programs and reject wrong ones', async () => {
  const program = `
    import { type RunChange, type Schema, ScenariumClient } from '@scenarium/client';
    const client = new ScenariumClient({ url: 'http://127.0.0.1:4000', apiKey: 'sk-x' });
    for await (const change of client.watch('r')) { const kind: RunChange['kind'] = change.kind; void kind; }
    const state: Schema.WorkflowRunState = 'SUCCEEDED';
    // @ts-expect-error: no such state
    const wrong: Schema.WorkflowRunState = 'BANANA';
    // @ts-expect-error: an id is a number
    await client.run('1');
    const result = await client.request<{ me: Pick<Schema.User, 'id'> }>('{ me { id } }');
    const id: number = result.me.id;
    export { id, state, wrong };`;
  await mkdir(path.join(folder, 'typed'));
  await writeFile(path.join(folder, 'typed/program.mts'), program);
  const flags = '--noEmit --strict --target es2022 --module nodenext --types'.split(' ');
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [tsc, ...flags, '', 'typed/program.mts'], { cwd: folder });
  await expect(compiled.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({ stdout: '' });
});

describeInBrowser('clients/typescript in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('works in Chromium', async () => {
    const page = await browser.newPage();
    const origin = `${fixture.service.url}/client-test`;
    await page.route(`${origin}/**`, async route => {
      const name = route
        .request()
        .url()
        .slice(origin.length + 1);
      if (name === 'page.html') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
      const file = name === EXERCISE ? name : `node_modules/@scenarium/client/dist/${name}`;
      return route.fulfill({ contentType: 'text/javascript', body: await readFile(path.join(folder, file)) });
    });
    await page.goto(`${origin}/page.html`);
    const results = await page.evaluate(`(async () => {
      const client = await import('${origin}/index.js');
      const { exercise, exerciseRetries } = await import('${origin}/${EXERCISE}');
      const live = await exercise(client, ${JSON.stringify(targetOf())});
      return { live, retries: await exerciseRetries(client) };
    })()`);
    expectResults(results as { live: unknown; retries: unknown });
  });
});
