import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { unreachedFailpoints } from './architecture/failpoint-names.js';
import { type RuleName, rules } from './architecture/rules.js';
import { importsOf, readSources } from './architecture/sources.js';
import { countedRules } from './architecture/table-rules.js';

const names = Object.keys(rules) as RuleName[];

describe('the sources have no', () => {
  const sources = readSources(['src', 'rest-compat']);

  it.each(names.map(name => [name]))('%s', name => {
    expect(rules[name](sources)).toEqual([]);
  });

  it.each(Object.entries(countedRules))('more than the known breaches: %s', (_name, { rule, maxViolations }) => {
    const breaches = rule(sources);
    expect(breaches.slice(maxViolations)).toEqual([]);
  });

  it('file that is too long and no folder with too many files in test, bench, scripts or the console', () => {
    const folders = ['test', 'bench', 'scripts', 'console'];
    const others = readSources(folders, /(?<!\.generated)\.[cm]?[jt]sx?$/);
    for (const folder of folders)
      expect([...others.keys()].filter(file => file.startsWith(`${folder}/`)).length).toBeGreaterThan(5);
    expect(rules['a file that is too long'](others)).toEqual([]);
    expect(rules['a folder with too many files'](others)).toEqual([]);
  });

  it('file whose imports were overlooked', () => {
    expect(sources.size).toBeGreaterThan(150);
    const imports = importsOf(sources);
    expect(imports.length).toBeGreaterThan(500);
    const lost = imports.filter(({ to }) => /^(src|rest-compat)\/.*\.ts$/.test(to) && !sources.has(to));
    expect(lost).toEqual([]);
    const written = [...sources.values()].join('\n').match(/^(?:import|export|\}).* from '/gm) ?? [];
    expect(imports.length).toBeGreaterThanOrEqual(written.length);
  });
});

describe('the suites of scripts/jest/suites.mjs', () => {
  it('name test files that exist', async () => {
    const suites = (await import(pathToFileURL(path.resolve('scripts/jest/suites.mjs')).href)) as {
      FAULTS: string[];
      SECURITY: string[];
      unmatched(parts: string[]): string[];
      patternsOf(folder: string, others: string[]): string[];
    };
    expect(suites.unmatched([...suites.FAULTS, ...suites.SECURITY])).toEqual([]);
    expect(suites.patternsOf('security/', ['http/hosts'])).toEqual(['build/test/security/', 'build/test/http/hosts']);
    expect(() => suites.patternsOf('security/', ['http/hosts', 'http/nothing'])).toThrow('begins with http/nothing');
  });
});

describe('the failpoints', () => {
  it('are all reached by tests', () => {
    const sources = readSources(['src']);
    const tests = readSources(['test']);
    expect(unreachedFailpoints(sources, new Map()).length).toBeGreaterThan(50);
    expect(unreachedFailpoints(sources, tests)).toEqual([]);
  });

  it('are unreached without a test that names them, and if their names are built', () => {
    const built = '`c.$' + '{x}`';
    const code = `failpoint('a.done'); failpoint('b.before'); failpoint('b.after'); failpoint(${built}); // failpoint('d')`;
    const test = `crashWorkerAt('a.done'); const points = ['b.before:2', ${built}];`;
    const unreached = unreachedFailpoints(new Map([['src/a.ts', code]]), new Map([['test/a.test.ts', test]]));
    expect(unreached).toEqual(["'b.after'", built]);
  });
});

describe('the rules refuse', () => {
  /** Source texts that break a rule, by the name of the rule. */
  const broken: Record<RuleName, Record<string, string>[]> = {
    'an upward import': [
      { 'src/platform/x/a.ts': `import { B } from '../../engine/b.js';` },
      { 'src/engine/a.ts': `import type { B } from '../modules/projects/b.js';` },
      { 'src/providers/a.ts': `import {\n  b,\n} from '../modules/projects/b.js';` },
      { 'src/modules/projects/a.ts': `export { b } from '../../graphql/b.js';` },
      { 'src/modules/projects/a.ts': `import '../../graphql/b.js';` },
      { 'src/graphql/a.ts': `const b = await import('../http/b.js');` },
      { 'src/http/a.ts': `import { b } from '../app.js';` },
      { 'src/app.ts': `import { b } from './cli.js';` },
      { 'src/app.ts': `import { b } from './demo/b.js';` },
      { 'src/attic/a.ts': `import { b } from '../platform/x/b.js';` },
    ],
    'an import of a module that is not needed': [
      {
        'src/modules/projects/index.ts': `export const projects = defineModule({ name: 'projects', needs: { accounts } });`,
        'src/modules/projects/a.ts': `import type { B } from '../billing/b.js';`,
      },
      {
        'src/modules/chat/index.ts': `export const chat = defineModule({\n  name: 'chat',\n  needs: {\n    providerKeys,\n  },\n});`,
        'src/modules/chat/a.ts': `import { B } from '../provider-keys/b.js';\nimport { C } from '../documents/c.js';`,
      },
      { 'src/modules/cellar/a.ts': `import { B } from '../accounts/b.js';` },
    ],
    'a module that imports the list of all': [
      { 'src/modules/projects/a.ts': `import { ENTITIES } from '../registry.js';` },
    ],
    'an import cycle': [
      {
        'src/platform/x/a.ts': `import { b } from './b.js';`,
        'src/platform/x/b.ts': `import type { a } from './a.js';`,
      },
      {
        'src/platform/x/a.ts': `import { b } from './b.js';`,
        'src/platform/x/b.ts': `export { c } from './c.js';`,
        'src/platform/x/c.ts': `import('./a.js');`,
      },
      { 'src/platform/x/a.ts': `import { a } from './a.js';` },
    ],
    'an engine that imports outside itself': [
      { 'src/engine/a.ts': `import { sum } from '../platform/money/money.js';` },
      { 'src/engine/a.ts': `import { randomUUID } from 'node:crypto';` },
      { 'src/engine/workflow/a.ts': `import pg from 'pg';` },
      { 'src/engine/a.ts': `import type { P } from '../providers/p.js';` },
    ],
    'a rest-compat that imports the container': [
      { 'rest-compat/runtime/a.ts': `import { b } from '../../src/platform/x/b.js';` },
      { 'rest-compat/a.ts': `import type { Express } from 'express';` },
    ],
    'a migration that imports the container': [
      { 'src/migrations/m0009-a.ts': `import { Project } from '../modules/projects/project.js';` },
      { 'src/migrations/m0009-a.ts': `import { sum } from '../platform/money/money.js';` },
    ],
    'an outbound call outside platform/outbound': [
      { 'src/providers/a.ts': `import { request } from 'undici';` },
      { 'src/platform/outboundary/a.ts': `import type { Dispatcher } from 'undici';` },
      { 'src/http/a.ts': `  const answer = await fetch(url);` },
      { 'src/http/a.ts': `  const get = globalThis.fetch;` },
    ],
    'an environment read outside platform/config': [
      { 'src/platform/logging/log.ts': `const level = process.env.LOG_LEVEL;` },
      { 'src/app.ts': `import { env } from 'node:process';` },
      { 'rest-compat/runtime/a.ts': `if (process.env['X']) run();` },
    ],
    'an advisory lock key outside platform/sql/advisory-locks': [
      { 'src/modules/projects/a.ts': `const LOCK = 7_266_399;` },
      { 'src/modules/projects/a.ts': `await sql.query('select pg_advisory_xact_lock(12, $1)', [id]);` },
    ],
    'an import of the fast lane outside the container': [
      { 'src/http/server.ts': `import { ChatLane } from '../fast-lane/chat-lane.js';` },
      { 'src/modules/chat/a.ts': `import type { B } from '../../fast-lane/b.js';` },
      { 'src/app.ts': `import { ChatLane } from './fast-lane/chat-lane.js';` },
    ],
    'an internal of Node outside the fast lane': [
      { 'src/http/a.ts': `export class Answer extends ServerResponse {}` },
      { 'src/http/a.ts': `const { _httpMessage } = socket;` },
      { 'src/main.ts': `v8.setFlagsFromString('--expose-gc');` },
    ],
    'a count of changed rows, which is always 0': [
      {
        'src/modules/projects/a.ts': `const { numDeletedRows } = await tables.deleteFrom('a').executeTakeFirstOrThrow();`,
      },
    ],
    'a default export': [
      { 'src/platform/x/a.ts': `export default class A {}` },
      { 'rest-compat/a.ts': `const a = 1;\nexport { a as default };` },
    ],
    'a name without a noun': [
      { 'src/utils/text.ts': '' },
      { 'src/platform/x/string-utils.ts': '' },
      { 'src/platform/x/helpers.ts': '' },
      { 'src/engine/common/a.ts': '' },
      { 'rest-compat/runtime/common.ts': '' },
    ],
    'a file that is too long': [
      { 'src/platform/x/a.ts': 'line\n'.repeat(401) },
      { 'test/rest/a.test.ts': 'line\n'.repeat(401) },
    ],
    'a folder with too many files': [
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`src/modules/projects/a${index}.ts`, ''])),
    ],
    'a function that is too long or too complex': [
      { 'src/platform/x/a.ts': `export function a() {\n${'  b();\n'.repeat(60)}}` },
      { 'src/platform/x/a.ts': `class A {\n  #a = (b: number) => ${'b > 1 && '.repeat(12)}b;\n}` },
      {
        'rest-compat/a.ts': `export function a(b: string) {\n  switch (b) {\n${"    case 'c':\n".repeat(12)}      return 1;\n  }\n}`,
      },
    ],
    'a file directly in the platform folder': [{ 'src/platform/text.ts': '' }],
  };

  it.each(names.flatMap(name => broken[name].map((files, index) => [name, index + 1, files] as const)))(
    '%s (sample %i)',
    (name, _index, files) => {
      expect(rules[name](new Map(Object.entries(files)))).toHaveLength(1);
    },
  );

  const entity = `export const A = defineEntity({ name: 'A', tableName: 'api_key' });`;

  it.each([
    ['raw SQL outside *.sql.ts', { 'src/modules/chat/a.ts': 'await sql.query<{ id: number }>(READ, [id]);' }],
    ['raw SQL outside *.sql.ts', { 'src/durable/a.ts': 'const READ = `\n  delete from run_lease`;' }],
    [
      'a write to a table of another module',
      {
        'src/modules/accounts/a.entity.ts': entity,
        'src/modules/chat/a.sql.ts': 'const SPEND = `update api_key set spent_usd = 1`;',
      },
    ],
    [
      'a write to a table of another module',
      {
        'src/modules/accounts/a.entity.ts': entity,
        'src/modules/chat/a.ts': `await queryBuilder<Tables>(sql).deleteFrom('api_key').execute();`,
      },
    ],
  ] as const)('%s (counted, sample %#)', (name, files) => {
    expect(countedRules[name].rule(new Map(Object.entries(files)))).toHaveLength(1);
  });

  it('no typed query, statement file or write to an own table', () => {
    const files = {
      'src/modules/accounts/a.entity.ts': entity,
      'src/modules/accounts/a.ts': `await queryBuilder<Tables>(sql).updateTable('api_key').set({ name }).execute();`,
      'src/modules/accounts/a.sql.ts': 'export const read = sql => sql.query(`select id from api_key`);',
      'src/modules/chat/a.ts': `queryBuilder<Tables>(sql).selectFrom('api_key').select('id');\n// delete from api_key`,
    };
    for (const { rule } of Object.values(countedRules)) expect(rule(new Map(Object.entries(files)))).toEqual([]);
  });

  /** Source texts that resemble a violation but are allowed. */
  const sound: Record<string, string> = {
    'src/platform/x/a.ts': `// import { b } from '../app.js';\n/** fetch(url) and process.env are spoken of. */\nexport const a = 1;`,
    'src/platform/outbound/outbound.ts': `import { Agent } from 'undici';\nawait fetch(url);`,
    'src/platform/config/config.ts': `readConfig(process.env);`,
    'src/platform/config/table.ts': `export const a = (b: number) => ${'b > 1 && '.repeat(11)}b;\nexport const c = () => [() => a(1) || 2];`,
    'src/platform/sql/advisory-locks.ts': `export const ADVISORY_LOCKS = { slug: 7_266_322 };`,
    'src/modules/projects/a.ts': `await sql.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.slug]);`,
    'src/demo/a.ts': `await fetch(process.env.URL);\nimport { start } from '../app.js';`,
    'src/engine/a.ts': `import { z } from 'zod';\nimport { b } from './common-members.js';`,
    'src/engine/common-members.ts': 'line\n'.repeat(400),
    'src/providers/a.ts': `import type { A } from '../engine/a.js';\nimport { a } from '../platform/x/a.js';`,
    'src/modules/registry.ts': `import { A } from './workflow-runs/a.js';`,
    'src/modules/webhooks/index.ts': `export const webhooks = defineModule({ name: 'webhooks', needs: { projects } });`,
    'src/modules/webhooks/a.ts': `import { A } from '../projects/a.js';\nimport { M } from '../module.js';`,
    'src/modules/workflow-runs/index.ts': `export const workflowRuns = defineModule({ needs: { workflows } });`,
    'src/modules/workflow-runs/a.ts': `import { A } from '../workflows/a.js';\nawait this.queue.fetch(1);`,
    'src/graphql/a.ts': `import { A } from '../modules/marketplace/a.js';`,
    'src/container/a.ts': `import { ChatLane } from '../fast-lane/chat-lane.js';`,
    'src/fast-lane/a.ts': `import { b } from '../http/b.js';\nexport class A extends ServerResponse {}`,
    'src/http/a.ts': `import { r } from '../../rest-compat/runtime/a.js';\nimport { g } from '../graphql/a.js';`,
    'src/migrations/index.ts': `import { M } from './m0001-a.js';\nimport { Migration } from '@mikro-orm/migrations';`,
    'rest-compat/runtime/a.ts': `import { parse } from 'graphql';\nimport type { A } from 'node:http';`,
    'rest-compat/generated/routes.ts': 'line\n'.repeat(1_000),
  };

  it.each(names.map(name => [name]))('nothing sound: %s', name => {
    expect(rules[name](new Map(Object.entries(sound)))).toEqual([]);
  });
});
