import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CompiledEntry, cli, holdsPostgres, newDataDir, removeDataDir } from '../cli/entry.js';
import { faultTest } from '../support/processes/fault-points.js';
import { ROOT } from '../support/readme/readme.js';

// Real processes on a real data folder, one after the other. A start takes two to three seconds, many times that on a
// machine that is busy with other tests.
const SLOW_MS = 180_000;

const SUCCEEDED =
  /^ {2}status {2}succeed\n {2}output {2}Dear Ada, thank you for your order of 250 and for 7 years with us!$/m;
const keyIn = (stdout: string) => /Try it yourself[\s\S]*API key +(\S+)/.exec(stdout)?.[1];

/**
 * Runs of workflows, rehearsals, files and entries of key-value stores, whose ids the service chooses at random, and what the demo does
 * not make: the terms of a copy, a chat and a form.
 */
const NOT_CREATED =
  /\/(?:history|examples)\/\{run_id\}|\{id\}\/(?:terms|chat|form)|\/(?:files|key-value-entries)\/\{id\}|\{rehearsal_id\}/;

/** Addresses of single objects with the ids of the examples in the OpenAPI document. */
async function exampleAddresses(): Promise<string[]> {
  const text = await readFile(path.join(ROOT, 'rest-compat/generated/openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, { get?: { parameters?: Parameter[] } }> };
  return Object.entries(paths).flatMap(([template, { get }]) => {
    const parameters = get?.parameters ?? [];
    const isSingle = parameters.some(({ in: place }) => place === 'path');
    const query = parameters.filter(
      ({ in: place, name, required }) => place === 'query' && (required || name === 'id'),
    );
    if (!(isSingle || query.length > 0) || NOT_CREATED.test(template)) return [];
    const search = new URLSearchParams(query.map(({ name, example }): [string, string] => [name, String(example)]));
    return [`${template.replaceAll(/\{(\w+)\}/g, (_, name) => exampleOf(parameters, name))}?${search}`];
  });
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example: unknown;
}

const exampleOf = (parameters: Parameter[], name: string) =>
  String(parameters.find(parameter => parameter.name === name)?.example);

describe('npm run demo', () => {
  let dataDir: string;
  let key: string | undefined;
  beforeAll(async () => {
    dataDir = await newDataDir();
  });
  afterAll(() => removeDataDir(dataDir), SLOW_MS);

  const demo = (args: string[], more: Record<string, string> = {}) =>
    new CompiledEntry('demo/main.js', args, { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_PER_MINUTE: '600', ...more });

  it(
    'runs a workflow to its end on a fresh data folder and leaves nothing running',
    async () => {
      const { code, stdout, stderr } = await demo(['--exit']).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(SUCCEEDED);
      expect(stdout).toMatch(/^ {2}cost {4}0 USD, 0 SR$/m);
      for (const label of ['An order is placed', 'Look the customer up', 'Is it a large order\\?', 'Send the note']) {
        expect(stdout).toMatch(new RegExp(`^ {2}◐ ${label} +running(.|\\n)*^ {2}● ${label} +done +\\d+ ms$`, 'm'));
      }
      expect(stdout).toMatch(/^ {2}– Take the standard note +skipped/m);
      expect(stdout).toMatch(
        /First administrator[\s\S]*password +\S+ +\(shown once\)[\s\S]*API key +sk-\S+ +\(shown once\)/,
      );
      expect(stdout).toMatch(/^ {2}GraphiQL +http:\/\/127\.0\.0\.1:\d+\/graphiql$/m);
      expect(stdout).toMatch(/^ {2}REST +http:\/\/127\.0\.0\.1:\d+\/docs$/m);
      expect(stdout).not.toContain('\u001b');
      expect(holdsPostgres(dataDir)).toBe(false);
      key = keyIn(stdout);
    },
    SLOW_MS,
  );

  it(
    'works again on the same folder with the same key, project and workflow, until it is interrupted',
    async () => {
      const first = demo([]);
      try {
        await first.waitForOutput(/Ctrl-C/);
        expect(first.stdout).toMatch(SUCCEEDED);
        expect(first.stdout).not.toContain('First administrator');
        expect(key).toBeDefined();
        expect(keyIn(first.stdout)).toBe(key);

        const [, url] = await first.waitForOutput(/listens on (\S+)/);
        const get = async (path: string) =>
          (await fetch(`${url}${path}`, { headers: { 'X-Api-Key': String(key) } })).json() as Promise<any>;
        const projects = await get('/api/v1/projects/');
        expect(projects).toMatchObject({ total: 1, items: [{ name: 'Demo' }] });
        const workflows = await get('/api/v1/workflows/');
        expect(workflows).toMatchObject({ total: 1, items: [{ title: 'Thank a customer for an order' }] });
        const runs = await get(`/api/v1/workflows/${workflows.items[0].id}/history/`);
        expect(runs.items.map((run: any) => run.status)).toEqual(['Succeeded', 'Succeeded']);

        const missing = (await exampleAddresses()).map(async address => {
          const { status } = await fetch(`${url}${address}`, {
            headers: { Authorization: `Bearer ${key}`, 'X-Api-Key': String(key) },
          });
          return status === 200 ? [] : [`${status} ${address}`];
        });
        expect((await Promise.all(missing)).flat()).toEqual([]);
        expect(missing.length).toBeGreaterThan(35);

        const second = await demo(['--exit']).ended;
        expect(second.code).toBe(1);
        expect(second.stderr).toMatch(/^The demo failed\. DATA_DIR: \S+ is in use by another Scenarium process.*\n$/);
      } finally {
        const { code, stderr } = await first.end('SIGINT');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      }
      expect(holdsPostgres(dataDir)).toBe(false);
    },
    SLOW_MS,
  );

  faultTest(
    'uses the service that runs already when it is given a key of it',
    async () => {
      const service = new CompiledEntry('main.js', [], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
      try {
        const [, url = ''] = await service.waitForOutput(/listens on (\S+)/);
        const there = { PORT: new URL(url).port };
        const wrong = await demo(['--exit'], { ...there, SCENARIUM_API_KEY: 'sk-wrong-key-of-nobody' }).ended;
        expect(wrong.code).toBe(1);
        expect(wrong.stderr).toBe(`The demo failed. SCENARIUM_API_KEY is not an API key of the service at ${url}.\n`);

        const email = 'visitor@example.com';
        await cli(['user', 'create', '--email', email], { DATA_DIR: dataDir });
        const visitor = await cli(['key', 'create', '--email', email, '--name', 'demo'], { DATA_DIR: dataDir });
        // It runs there, up to the one node that calls this machine, which that service does not allow.
        const refused = await demo(['--exit'], { ...there, SCENARIUM_API_KEY: visitor.stdout.trim() }).ended;
        expect(refused.stdout).toContain(`Scenarium is already running at ${url}`);
        expect(refused.stdout).toMatch(/^ {2}✗ Look the customer up +failed/m);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toMatch(/^The demo failed\. .*not allowed.* OUTBOUND_ALLOW=127\.0\.0\.1:\d+\.\n$/);
      } finally {
        await service.end('SIGTERM');
      }
    },
    SLOW_MS,
  );

  it('takes no option but --exit', async () => {
    const { code, stderr } = await demo(['--fast']).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^npm run demo \[-- --exit\]\n/);
  });
});
