// Generates files of examples/ from schema.graphql and openapi.json: node scripts/generate-examples.mjs [--check |
// --rest]
//
// GraphQL types are generated at each run. --check only reports whether they are up to date. REST types are generated
// only with --rest, because openapi-typescript needs TypeScript 5 (40 MB), which is downloaded for the run. --check
// compares the operations of the REST example with the current openapi.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { excerpt, missingFrom, routesOf } from './openapi-excerpt.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const read = file => readFileSync(file, 'utf8');

const TYPES = 'examples/graphql/operations.generated.ts';
const REST_CLIENT = 'examples/rest/client.ts';
const REST_EXCERPT = 'examples/rest/openapi.generated.json';
const REST_TYPES = 'examples/rest/openapi.generated.d.ts';
const OPENAPI_TYPESCRIPT = ['-p', 'openapi-typescript@7.13.0', '-p', 'typescript@5.9.3', 'openapi-typescript'];

async function graphqlTypes() {
  const location = 'examples/graphql/operations.graphql';
  const text = await codegen({
    filename: TYPES,
    schema: parse(read('schema.graphql')),
    documents: [{ location, document: parse(read(location)) }],
    config: {
      scalars: { DateTime: 'string', Decimal: 'string', JSON: 'unknown', UUID: 'string' },
      documentMode: 'string',
      disableDescriptions: true,
      defaultScalarType: 'unknown',
      useTypeImports: true,
    },
    plugins: [{ operationTypes: {} }, { typedDocuments: {} }],
    pluginMap: { operationTypes, typedDocuments },
  });
  return `// Made by npm run generate:examples from operations.graphql and schema.graphql.\n${text}\n`;
}

const currentOpenapi = () => JSON.parse(read('rest-compat/generated/openapi.json'));
const stampOf = json => `// Excerpt ${createHash('sha256').update(json).digest('hex').slice(0, 16)}`;

function generateRest() {
  const json = `${JSON.stringify(excerpt(currentOpenapi(), routesOf(read(REST_CLIENT))), null, 1)}\n`;
  writeFileSync(REST_EXCERPT, json);
  const result = spawnSync('npx', ['--yes', ...OPENAPI_TYPESCRIPT, REST_EXCERPT, '-o', REST_TYPES], {
    stdio: 'inherit',
  });
  if (result.status !== 0) throw new Error('openapi-typescript failed');
  writeFileSync(REST_TYPES, `${stampOf(json)}: npm run generate:examples -- --rest\n${read(REST_TYPES)}`);
}

function restFaults() {
  const json = read(REST_EXCERPT);
  const excerpted = JSON.parse(json);
  const has = ({ method, path }) => excerpted.paths[path]?.[method] !== undefined;
  const unknown = routesOf(read(REST_CLIENT)).filter(route => !has(route));
  return [
    ...missingFrom(excerpted, currentOpenapi()),
    ...unknown.map(({ method, path }) => `${REST_CLIENT} calls ${method} ${path}, which ${REST_EXCERPT} lacks`),
    ...(read(REST_TYPES).startsWith(stampOf(json)) ? [] : [`${REST_TYPES} was not generated from ${REST_EXCERPT}`]),
  ];
}

const types = await graphqlTypes();
if (process.argv.includes('--check')) {
  const faults = restFaults().map(fault => `${fault}: run \`npm run generate:examples -- --rest\``);
  if (read(TYPES) !== types) faults.push(`${TYPES} is outdated. Run \`npm run generate:examples\``);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} else {
  writeFileSync(TYPES, types);
  if (process.argv.includes('--rest')) generateRest();
}
