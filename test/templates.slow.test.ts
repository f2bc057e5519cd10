import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from './support/config.js';
import { createDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { type ServiceProcess, startProcess } from './support/processes/process.js';
import { ROOT } from './support/readme/readme.js';
import { type StubUpstream, startStubUpstream } from './support/upstreams/stub-upstream.js';

const COPIED = [
  ...[
    'src',
    'rest-compat',
    'scripts',
    'templates',
    'test/security/sweep',
    'test/support',
    'test/modules/rights.test.ts',
    'test/engine/nodes/nodes.test.ts',
    'test/engine/flow/random-graphs.ts',
    'test/corpus',
  ],
  ...['docs/operations.md', 'docs/nodes.md', 'package.json', 'tsconfig.json', 'schema.graphql'],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scenarium-templates-'));
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  // The rows of the rights are compiled with the sources: their types check the names of the actions.
  const rows = ['rest', 'graphql'].map(kind => `test/security/sweep/${kind}-rows.ts`);
  const include = ['src', 'rest-compat', ...rows, 'test/modules/rights.test.ts'];
  writeFileSync(path.join(folder, 'tsconfig.copy.json'), JSON.stringify({ extends: './tsconfig.json', include }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of Node in the copy. */
function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function contents(): Map<string, string> {
  const files = globSync(['src/**', 'rest-compat/**', 'test/**', 'docs/**', '*.md', '*.graphql', '*.json'], {
    cwd: folder,
  });
  const digestOf = (file: string) =>
    createHash('sha1')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  return new Map(
    files.filter(file => statSync(path.join(folder, file)).isFile()).map(file => [file, digestOf(file)] as const),
  );
}

/** Performs an action in the copy, and returns the files that it created or changed. */
function touched(action: () => void): string[] {
  const before = contents();
  action();
  return [...contents()]
    .filter(([file, digest]) => before.get(file) !== digest)
    .map(([file]) => file)
    .sort();
}

const create = (kind: string, name: string) => touched(() => run('scripts/new.mjs', kind, name));

describe('npm run new', () => {
  it('creates a module: its folder, a migration, its operations and its rows', () => {
    const files = create('module', 'price-list');
    expect(files.filter(file => !file.startsWith('src/modules/price-lists/'))).toEqual([
      'docs/operations.md',
      'rest-compat/operations/price-lists.graphql',
      'src/migrations/index.ts',
      expect.stringMatching(/^src\/migrations\/m\d{4}-price-lists\.ts$/),
      'src/modules/projects/rights.ts',
      'test/modules/rights.test.ts',
      'test/rest/price-lists.test.ts',
      'test/security/sweep/graphql-rows.ts',
      'test/security/sweep/price-list-rows.ts',
      'test/security/sweep/rest-rows.ts',
    ]);
  });

  it('creates a model provider: its folder and its configuration', () => {
    expect(create('provider', 'acme-ai')).toEqual([
      'src/platform/config/model-providers.ts',
      'src/providers/llm/acme-ai/index.ts',
    ]);
  });

  it('creates a kind of node: one file and its lines in the lists', () => {
    expect(create('node', 'shout')).toEqual([
      'docs/nodes.md',
      'src/engine/workflow/nodes/data/shout.ts',
      'src/engine/workflow/nodes/index.ts',
      'test/corpus/corpus.test.ts',
      'test/corpus/graphs/data.ts',
      'test/engine/flow/random-graphs.ts',
      'test/engine/nodes/nodes.test.ts',
    ]);
  });

  it('creates a route: its operation and its row', () => {
    expect(create('route', 'whoami')).toEqual([
      'rest-compat/operations/whoami.graphql',
      'test/security/sweep/rest-rows.ts',
    ]);
  });

  it.each([
    ['a name that is taken', ['route', 'whoami'], /whoami\.graphql: these files exist/],
    ['a kind of node with the end of its type', ['node', 'quiet-node'], /Use quiet:/],
    ['a name in another case', ['route', 'whoAmI'], /kebab case/],
    ['an unknown kind', ['resolver', 'whoami'], /module\|node\|route\|provider/],
  ])('refuses %s', (_case, args, reason) => {
    expect(touched(() => expect(() => run('scripts/new.mjs', ...args)).toThrow(reason))).toEqual([]);
  });
});

describe('the generated code', () => {
  const compile = (...options: string[]) =>
    run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.copy.json', ...options);
  let upstream: StubUpstream;
  let service: ServiceProcess;
  let project: number;
  beforeAll(async () => {
    upstream = await startStubUpstream();
  });
  afterAll(async () => {
    await service?.end();
    await upstream.stop();
  });

  const call = async (method: string, route: string, body?: unknown) => {
    const headers = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}${route}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  it('is compiled and adds only generated files', () => {
    const generated = touched(() => {
      run('scripts/generate-lists.mjs');
      compile('--noCheck');
      run('dist/src/graphql/emit.js');
      run('dist/src/platform/config/configuration-page.js');
      run('dist/src/http/generate-rest.js');
      compile();
    });
    const others = generated.filter(file => !file.startsWith('rest-compat/generated/'));
    expect(others).toEqual([
      'docs/configuration.md',
      'schema.graphql',
      'src/modules/all.ts',
      'src/providers/llm/all.ts',
    ]);
    expect(readFileSync(path.join(folder, 'docs/configuration.md'), 'utf8')).toContain('`ACME_AI_API_KEY`');
  });

  it('starts', async () => {
    const environment = {
      ...testEnvironment(await createDatabase()),
      ACME_AI_BASE_URL: upstream.url,
      ACME_AI_API_KEY: 'k',
    };
    service = await startProcess(environment, { main: path.join(folder, 'dist/src/main.js') });
    project = (await call('POST', '/api/v1/projects/', { name: 'Shop' })).body.id;
  });

  it('serves the module', async () => {
    const created = await call('POST', '/api/v1/price-lists/', { project, name: ' Spring ' });
    expect(created).toEqual({
      status: 201,
      body: { id: expect.any(Number), name: 'Spring', created_at: expect.any(String) },
    });
    const { body } = await call('GET', `/api/v1/projects/${project}/price-lists/`);
    expect(body).toEqual({ page: 1, size: 10, total: 1, items: [created.body] });
  });

  it('serves the route', async () => {
    expect(await call('GET', '/api/v1/whoami/')).toMatchObject({ status: 200, body: { email: 'admin@example.com' } });
  });

  it('runs the node, and asks the provider', async () => {
    const node = (id: string, type: string, data: object) => ({ id, type, position: { x: 0, y: 0 }, data });
    const messages = [{ role: 'user', message: 'Hello' }];
    const nodes = [
      node('trigger', 'trigger-node', { next_nodes: ['ask'] }),
      node('ask', 'basic-node', { messages, settings: { model_name: 'acme-ai-small' }, next_nodes: ['loud'] }),
      node('loud', 'shout-node', { text: '{{ previous.content }}!', next_nodes: ['out'] }),
      node('out', 'output-node', {}),
    ];
    const data = { nodes, edges: [], viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'trigger' };
    const workflow = await call('POST', '/api/v1/workflows/', { project, title: 'Shout', data });
    const started = await call('POST', `/api/v1/workflows/${workflow.body.id}/run/`, {});
    const poll = () => call('GET', `/api/v1/workflows/workflow_result/?id=${started.body.data.id}`);
    const result = await eventually(poll, ({ body }) => ['succeed', 'failed'].includes(body.data?.status));
    expect(result.body.data).toMatchObject({ status: 'succeed', output: 'STUB ANSWER!' });
    expect(upstream.requests).toMatchObject([{ model: 'acme-ai-small' }]);
  });

  it('attaches keys of the provider', async () => {
    const query = '{ __type(name: "KeyProvider") { enumValues { name } } }';
    const { body } = await call('POST', '/graphql', { query });
    expect(body.data.__type.enumValues).toContainEqual({ name: 'ACME_AI' });
  });
});
