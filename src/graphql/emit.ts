import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { buildScenariumSchema } from './schema.js';

/** Returns the schema as sorted text, so that diffs show only changes. */
export function printScenariumSchema(): string {
  const schema = buildScenariumSchema(
    () => ({}),
    () => undefined,
  );
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Writes `schema.graphql`. With `--check`, reports whether the file is up to date. */
async function main(): Promise<void> {
  const text = printScenariumSchema();
  if (!process.argv.includes('--check')) return writeFile('schema.graphql', text);
  const committed = await readFile('schema.graphql', 'utf8').catch(() => '');
  if (committed === text) return;
  console.error('schema.graphql is stale: run `npm run generate` and commit the result.');
  process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
