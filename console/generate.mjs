// Generates the types and documents of the console's GraphQL operations: node console/generate.mjs
//
// Each console/src/**/<name>.graphql becomes <name>.generated.ts in the same folder, which git ignores. An operation that does not
// fit schema.graphql fails the build. `generate` returns the texts that the browser sends, for the safelist.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { buildSchema, Kind, parse, print, validate, visit } from 'graphql';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = file => readFileSync(path.join(root, file), 'utf8');

/** JSON is `unknown`, so that a screen must check it. Money and times are texts, which keeps every digit. */
const scalars = {
  DateTime: 'string',
  Decimal: 'string',
  HttpHeaders: 'Record<string, string | number | boolean | null>',
  JSON: 'unknown',
  UUID: 'string',
  Upload: 'File',
  ID: 'string',
};

const isFragment = ({ kind }) => kind === Kind.FRAGMENT_DEFINITION;

/** Names of the fragments that a part of a document spreads. */
const spreadsIn = node => [...print(node).matchAll(/\.\.\.\s?(?!on\b)(\w+)/g)].map(([, name]) => name);

/** Adds the fragments of other files that each document uses. A fragment is written once and shared. */
function addSharedFragments(files) {
  const fragments = new Map(files.flatMap(({ own }) => own.filter(isFragment)).map(one => [one.name.value, one]));
  for (const file of files) {
    const definitions = [...file.own];
    for (const definition of definitions)
      for (const name of spreadsIn(definition)) {
        const fragment = fragments.get(name);
        if (fragment && !definitions.includes(fragment)) definitions.push(fragment);
      }
    file.document = { kind: Kind.DOCUMENT, definitions, loc: file.loc };
  }
}

/** Root fields of these types are null only together with an error. */
const ALWAYS_PRESENT = /^(?:\w+(?:Page|Connection|List)|Maintenance|WorkflowCheck)$/;

/** Makes such fields non-null in the types, because the client of the console returns no data of an operation with errors. */
function withoutPartialData(schema) {
  return visit(schema, {
    ObjectTypeDefinition: node => (node.name.value === 'Query' ? undefined : false),
    FieldDefinition: node => {
      const { type } = node;
      const isPresent = type.kind === Kind.LIST_TYPE || ALWAYS_PRESENT.test(type.name?.value);
      return isPresent ? { ...node, type: { kind: Kind.NON_NULL_TYPE, type } } : undefined;
    },
  });
}

function checkDocuments(schema, files) {
  const names = new Map();
  for (const { location, document, own } of files) {
    const [error] = validate(schema, document);
    if (error) {
      const line = error.locations?.[0]?.line;
      throw new Error(`${location}:${line ?? 1}: ${error.message}`);
    }
    for (const { name } of own) {
      if (name === undefined) throw new Error(`${location}: an operation has no name`);
      const other = names.get(name.value);
      if (other !== undefined) throw new Error(`${location}: ${name.value} is also defined in ${other}`);
      names.set(name.value, location);
    }
  }
}

/** One text per operation with the fragments that it uses, as the browser's cache sends it. */
function textsOf({ document }) {
  const fragments = new Map(document.definitions.filter(isFragment).map(one => [one.name.value, one]));
  const used = (node, found) => {
    for (const name of spreadsIn(node)) {
      if (found.has(name)) continue;
      found.add(name);
      used(fragments.get(name), found);
    }
    return found;
  };
  return document.definitions
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map(operation => {
      const definitions = [operation, ...[...used(operation, new Set())].map(name => fragments.get(name))];
      return [operation.name.value, print(addTypenameToDocument({ kind: Kind.DOCUMENT, definitions }))];
    });
}

/** Writes a file only if it differs, so that watchers do not rebuild. */
function writeChanged(file, text) {
  try {
    if (read(file) === text) return;
  } catch {
    // The file does not exist yet.
  }
  writeFileSync(path.join(root, file), text);
}

/** Generates all files. Returns the safelist: operation texts by name. */
export async function generate() {
  const schemaText = read('schema.graphql');
  const schema = withoutPartialData(parse(schemaText));
  const files = readdirSync(path.join(root, 'console/src'), { recursive: true })
    .filter(file => file.endsWith('.graphql'))
    .sort()
    .map(file => `console/src/${file.split(path.sep).join('/')}`)
    .map(location => ({ location, ...parse(read(location)) }))
    .map(({ location, definitions: own, loc }) => ({ location, own, loc }));
  addSharedFragments(files);
  checkDocuments(buildSchema(schemaText), files);
  for (const { location, document } of files) {
    const filename = location.replace(/graphql$/, 'generated.ts');
    const text = await codegen({
      filename,
      schema,
      documents: [{ location, document }],
      config: {
        scalars,
        disableDescriptions: true,
        defaultScalarType: 'unknown',
        useTypeImports: true,
        enumsAsTypes: true,
        dedupeFragments: true,
      },
      plugins: [{ operationTypes: {} }, { typedDocuments: {} }],
      pluginMap: { operationTypes, typedDocuments },
    });
    writeChanged(filename, `// Generated by console/generate.mjs from ${path.basename(location)}.\n${text}\n`);
  }
  return Object.fromEntries(files.flatMap(textsOf));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
