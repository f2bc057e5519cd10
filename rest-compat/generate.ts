import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { buildSchema, type GraphQLSchema } from 'graphql';
import type { NodeKindSchema } from './generator/openapi/node-components.js';
import { writeOpenapi } from './generator/openapi/write-openapi.js';
import type { OperationFile } from './generator/operation-source.js';
import { readOperations } from './generator/read-operations.js';
import { writeRoutes } from './generator/write-routes.js';
import { writeRoutesPage } from './generator/write-routes-page.js';

export interface Sources {
  /** The text of `schema.graphql`. */
  readonly schema: string;
  /** The text of `directives.graphql`. */
  readonly directives: string;
  readonly operations: readonly OperationFile[];
  /** Version of the product, shown in the OpenAPI document. */
  readonly version: string;
  readonly nodeKinds: readonly NodeKindSchema[];
}

export type GenerationResult =
  | { readonly files: Readonly<Record<string, string>> }
  | { readonly faults: readonly string[] };

/** Returns the generated files by name, or one line per fault of the operations. Equal input gives equal bytes. */
export function generate(sources: Sources): GenerationResult {
  let schema: GraphQLSchema;
  try {
    schema = buildSchema(sources.schema);
  } catch (error) {
    return { faults: [`schema.graphql: ${error instanceof Error ? error.message.split('\n')[0] : 'not a schema'}`] };
  }
  const { operations, faults } = readOperations(schema, sources.directives, sources.operations);
  if (faults.length > 0) return { faults };
  return {
    files: {
      'routes.ts': writeRoutes(operations),
      'openapi.json': writeOpenapi(schema, operations, sources),
      'ROUTES.md': writeRoutesPage(operations),
    },
  };
}

async function readSources(root: string): Promise<Omit<Sources, 'nodeKinds'>> {
  const read = (name: string) => readFile(path.join(root, name), 'utf8');
  const folder = 'rest-compat/operations';
  const names = (await readdir(path.join(root, folder))).filter(name => name.endsWith('.graphql')).toSorted();
  return {
    schema: await read('schema.graphql'),
    directives: await read('rest-compat/directives.graphql'),
    operations: await Promise.all(
      names.map(async name => ({ name: `operations/${name}`, text: await read(`${folder}/${name}`) })),
    ),
    version: (JSON.parse(await read('package.json')) as { version: string }).version,
  };
}

/** Writes the generated files and returns the exit code: 1 for faults, and with `--check` for stale files. */
export async function generateFiles(args: readonly string[], nodeKinds: readonly NodeKindSchema[]): Promise<number> {
  const root = args.find(argument => !argument.startsWith('--')) ?? process.cwd();
  const generated = generate({ ...(await readSources(root)), nodeKinds });
  if ('faults' in generated) {
    for (const fault of generated.faults) console.error(fault);
    return 1;
  }
  const folder = path.join(root, 'rest-compat/generated');
  await mkdir(folder, { recursive: true });
  let stale = 0;
  for (const [name, text] of Object.entries(generated.files)) {
    const file = path.join(folder, name);
    const committed = await readFile(file, 'utf8').catch(() => '');
    if (committed === text) continue;
    if (!args.includes('--check')) {
      await writeFile(file, text);
      continue;
    }
    stale++;
    console.error(
      `rest-compat/generated/${name} is stale from line ${firstDifference(committed, text)}: npm run generate`,
    );
  }
  return stale > 0 ? 1 : 0;
}

function firstDifference(committed: string, text: string): number {
  const lines = committed.split('\n');
  const at = text.split('\n').findIndex((line, index) => line !== lines[index]);
  return (at < 0 ? text.split('\n').length : at) + 1;
}
