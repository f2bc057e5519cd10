import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/readme/readme.js';
import { ClientFixture } from './client-fixture.js';

const FOLDER = path.join(ROOT, 'clients/python');
const VERSION_CHECK = 'import sys; sys.exit(sys.version_info < (3, 11))';
const REASON = 'python3 3.11 or newer cannot be found here';
const hasPython = spawnSync('python3', ['-c', VERSION_CHECK]).status === 0;
if (!hasPython) process.stderr.write(`clients/python: skipped, ${REASON}\n`);

(hasPython ? describe : describe.skip)(`clients/python${hasPython ? '' : ` [${REASON}]`}`, () => {
  const run = promisify(execFile);
  let fixture: ClientFixture;
  beforeAll(async () => {
    fixture = await ClientFixture.open();
  });
  afterAll(() => fixture?.close());

  it('passes its own tests against the service', async () => {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: FOLDER,
      SCENARIUM_URL: fixture.service.url,
      SCENARIUM_API_KEY: fixture.service.key,
      SCENARIUM_PROJECT: String(fixture.project),
      SCENARIUM_WORKFLOW: String(fixture.workflow),
    };
    const { stderr } = await run('python3', ['-W', 'error::SyntaxWarning', 'tests/test_client.py'], {
      cwd: FOLDER,
      env,
    });
    expect(stderr).toMatch(/Ran 12 tests.*\n\nOK\n/);
  });

  it('has None in the types of nullable objects', async () => {
    const code = 'import scenarium.models as m; print(m.WorkflowTrigger.__annotations__["schedule"].__forward_arg__)';
    const { stdout } = await run('python3', ['-c', code], { cwd: FOLDER });
    expect(stdout.trim()).toBe('WorkflowTriggerSchedule | None');
  });

  it('has one method for each operation of the OpenAPI document', async () => {
    const { stdout } = await run('python3', ['-c', 'import scenarium; print(*dir(scenarium.Client))'], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: FOLDER },
    });
    const methods = new Set(stdout.trim().split(' '));
    const snake = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const { default: document } = await import(path.join(ROOT, 'rest-compat/generated/openapi.json'), {
      with: { type: 'json' },
    });
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
      .flatMap(item => Object.values(item))
      .map(({ operationId }) => snake(operationId));
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.filter(id => !methods.has(id))).toEqual([]);
  });

  it('is up to date with the OpenAPI document', async () => {
    await run(process.execPath, ['scripts/generate-python-client.mjs', '--check'], { cwd: ROOT });
  });
});

describe('the generator of the Python client', () => {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /** Generates the client of a document with one operation, and returns the text of its operations. */
  async function generate(properties: object, schemas: object = {}): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-python-'));
    folders.push(folder);
    for (const name of ['scripts', 'rest-compat/generated', 'clients/python/scenarium'])
      await mkdir(path.join(folder, name), { recursive: true });
    const script = 'scripts/generate-python-client.mjs';
    await copyFile(path.join(ROOT, script), path.join(folder, script));
    const body = { content: { 'application/json': { schema: { type: 'object', properties } } } };
    const operation = { operationId: 'saveThing', summary: 'Saves', requestBody: body, responses: { 204: {} } };
    const document = { components: { schemas }, paths: { '/things/': { post: operation } } };
    await writeFile(path.join(folder, 'rest-compat/generated/openapi.json'), JSON.stringify(document));
    await promisify(execFile)(process.execPath, [script], { cwd: folder });
    return readFile(path.join(folder, 'clients/python/scenarium/operations.py'), 'utf8');
  }

  const objectWith = (member: string) => ({ type: 'object', properties: { [member]: { type: 'string' } } });

  it('permits None for an object that may be null', async () => {
    const nullable = { ...objectWith('a'), type: ['object', 'null'] };
    expect(await generate({ part: nullable })).toContain('part: SaveThingPart | None | Unset = UNSET,');
  });

  it('refuses two schemas that become the same class, and names both', async () => {
    const generated = generate({ part: objectWith('a') }, { SaveThingPart: objectWith('b') });
    await expect(generated).rejects.toThrow(
      'two schemas become the Python class SaveThingPart, one in components.schemas.SaveThingPart and one in POST /things/',
    );
  });
});
