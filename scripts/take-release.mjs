// Records the current schema and migrations as the baseline for `npm run check`. Run it after a release, when the check
// has passed, which leaves the compiled files in build/.
import { copyFileSync, writeFileSync } from 'node:fs';
import { MIGRATIONS } from '../build/src/migrations/index.js';
import { digestOf, statementsOf } from '../build/test/architecture/migration-changes.js';

copyFileSync('schema.graphql', 'docs/released/schema.graphql');
const digests = await Promise.all(
  MIGRATIONS.map(async ({ name, class: Migration }) => [name, digestOf(await statementsOf(name, Migration))]),
);
writeFileSync('docs/released/migrations.json', `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
