import { describe, expect, it } from '@jest/globals';
import { type RuleName, rules } from './architecture/rules.js';
import { importsOf, readSources } from './architecture/sources.js';

const names = Object.keys(rules) as RuleName[];

describe('the house has no', () => {
  const sources = readSources(['src', 'rest-compat']);

  it.each(names.map(name => [name]))('%s', name => {
    expect(rules[name](sources)).toEqual([]);
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

describe('the rules refuse', () => {
  /** Files that break a rule, by their texts. */
  const broken: Record<RuleName, Record<string, string>[]> = {
    'an upward import': [
      { 'src/base/a.ts': `import { B } from '../engine/b.js';` },
      { 'src/engine/a.ts': `import type { B } from '../resources/projects/b.js';` },
      { 'src/providers/a.ts': `import {\n  b,\n} from '../resources/projects/b.js';` },
      { 'src/resources/projects/a.ts': `export { b } from '../../graphql/b.js';` },
      { 'src/resources/projects/a.ts': `import '../../jobs/b.js';` },
      { 'src/graphql/a.ts': `const b = await import('../http/b.js');` },
      { 'src/http/a.ts': `import { b } from '../app.js';` },
      { 'src/app.ts': `import { b } from './cli.js';` },
      { 'src/app.ts': `import { b } from './demo/b.js';` },
      { 'src/attic/a.ts': `import { b } from '../base/b.js';` },
    ],
    'an import to the right on the ladder': [
      { 'src/resources/projects/a.ts': `import type { B } from '../billing/b.js';` },
      { 'src/resources/workflows/a.ts': `import { B } from '../workflow-runs/b.js';` },
      { 'src/resources/billing/a.ts': `import { B } from '../webhooks/b.js';` },
      { 'src/resources/chat/a.ts': `import { B } from '../documents/b.js';` },
      { 'src/resources/cellar/a.ts': `import { B } from '../accounts/b.js';` },
      { 'src/resources/marketplace/a.ts': `import { B } from '../cellar/b.js';` },
    ],
    'a resource that imports the list of all': [
      { 'src/resources/projects/a.ts': `import { ENTITIES } from '../entities.js';` },
    ],
    'an import circle': [
      { 'src/base/a.ts': `import { b } from './b.js';`, 'src/base/b.ts': `import type { a } from './a.js';` },
      {
        'src/base/a.ts': `import { b } from './b.js';`,
        'src/base/b.ts': `export { c } from './c.js';`,
        'src/base/c.ts': `import('./a.js');`,
      },
      { 'src/base/a.ts': `import { a } from './a.js';` },
    ],
    'an engine that imports outside itself': [
      { 'src/engine/a.ts': `import { sum } from '../base/money.js';` },
      { 'src/engine/a.ts': `import { randomUUID } from 'node:crypto';` },
      { 'src/engine/workflow/a.ts': `import pg from 'pg';` },
      { 'src/engine/a.ts': `import type { P } from '../providers/p.js';` },
    ],
    'a rest-compat that imports the house': [
      { 'rest-compat/runtime/a.ts': `import { b } from '../../src/base/b.js';` },
      { 'rest-compat/a.ts': `import type { Express } from 'express';` },
    ],
    'a migration that imports the house': [
      { 'src/migrations/m0009-a.ts': `import { Project } from '../resources/projects/project.js';` },
      { 'src/migrations/m0009-a.ts': `import { sum } from '../base/money.js';` },
    ],
    'a call to the outside past platform/outbound/outbound': [
      { 'src/providers/a.ts': `import { request } from 'undici';` },
      { 'src/base/outboundary.ts': `import type { Dispatcher } from 'undici';` },
      { 'src/http/a.ts': `  const answer = await fetch(url);` },
      { 'src/http/a.ts': `  const get = globalThis.fetch;` },
    ],
    'an environment read past platform/config/config': [
      { 'src/platform/logging/log.ts': `const level = process.env.LOG_LEVEL;` },
      { 'src/app.ts': `import { env } from 'node:process';` },
      { 'rest-compat/runtime/a.ts': `if (process.env['X']) run();` },
    ],
    'an advisory lock key past platform/sql/advisory-locks': [
      { 'src/resources/projects/a.ts': `const LOCK = 7_266_399;` },
      { 'src/resources/projects/a.ts': `await sql.query('select pg_advisory_xact_lock(12, $1)', [id]);` },
    ],
    'a default export': [
      { 'src/base/a.ts': `export default class A {}` },
      { 'rest-compat/a.ts': `const a = 1;\nexport { a as default };` },
    ],
    'a name without a noun': [
      { 'src/utils/text.ts': '' },
      { 'src/base/string-utils.ts': '' },
      { 'src/base/helpers.ts': '' },
      { 'src/engine/common/a.ts': '' },
      { 'rest-compat/runtime/common.ts': '' },
    ],
    'a file that is too long': [{ 'src/base/a.ts': 'line\n'.repeat(401) }],
  };

  it.each(names.flatMap(name => broken[name].map((files, index) => [name, index + 1, files] as const)))(
    '%s (sample %i)',
    (name, _index, files) => {
      expect(rules[name](new Map(Object.entries(files)))).toHaveLength(1);
    },
  );

  /** What looks like a breach and is none. */
  const sound: Record<string, string> = {
    'src/base/a.ts': `// import { b } from '../app.js';\n/** fetch(url) and process.env are spoken of. */\nexport const a = 1;`,
    'src/platform/outbound/outbound.ts': `import { Agent } from 'undici';\nawait fetch(url);`,
    'src/platform/config/config.ts': `readConfig(process.env);`,
    'src/platform/sql/advisory-locks.ts': `export const ADVISORY_LOCKS = { slug: 7_266_322 };`,
    'src/resources/projects/a.ts': `await sql.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.slug]);`,
    'src/demo/a.ts': `await fetch(process.env.URL);\nimport { start } from '../app.js';`,
    'src/engine/a.ts': `import { z } from 'zod';\nimport { b } from './common-members.js';`,
    'src/engine/common-members.ts': 'line\n'.repeat(400),
    'src/providers/a.ts': `import type { A } from '../engine/a.js';\nimport { a } from '../base/a.js';`,
    'src/modules/entities.ts': `import { A } from './workflow-runs/a.js';`,
    'src/resources/webhooks/a.ts': `import { A } from '../projects/a.js';`,
    'src/resources/workflow-runs/a.ts': `import { A } from '../workflows/a.js';\nawait this.queue.fetch(1);`,
    'src/graphql/a.ts': `import { A } from '../resources/marketplace/a.js';`,
    'src/http/a.ts': `import { r } from '../../rest-compat/runtime/a.js';\nimport { g } from '../graphql/a.js';`,
    'src/migrations/index.ts': `import { M } from './m0001-a.js';\nimport { Migration } from '@mikro-orm/migrations';`,
    'rest-compat/runtime/a.ts': `import { parse } from 'graphql';\nimport type { A } from 'node:http';`,
    'rest-compat/generated/routes.ts': 'line\n'.repeat(1_000),
  };

  it.each(names.map(name => [name]))('nothing sound: %s', name => {
    expect(rules[name](new Map(Object.entries(sound)))).toEqual([]);
  });
});
