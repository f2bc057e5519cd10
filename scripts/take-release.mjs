// What `npm run check` measures the next changes against: the present schema and migrations. Run it behind a release, after the check.
import { copyFileSync, writeFileSync } from 'node:fs';
import { MIGRATIONS } from '../build/src/migrations/index.js';
import { digestOf, statementsOf } from '../build/test/architecture/migration-changes.js';

copyFileSync('schema.graphql', 'docs/released/schema.graphql');
const digests = await Promise.all(
  MIGRATIONS.map(async ({ name, class: of }) => [name, digestOf(await statementsOf(name, of))]),
);
writeFileSync('docs/released/migrations.json', `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
