import { isObject, type JsonObject } from '../json-value.js';
import { numberedName } from '../text/numbered-name.js';
import { OpenApiError } from './open-api-error.js';
import { METHODS, type Operation, readOperation } from './read-operation.js';

/** Maximum number of operations of a document. */
export const MAX_OPERATIONS = 1000;
const MAX_SKIPPED = 100;
const MAX_NAME = 64;

/** An operation with a name that is unique in its document and valid as that of a tool. */
export interface NamedOperation extends Operation {
  name: string;
}

/** What an OpenAPI document describes. */
export interface ApiDescription {
  title: string;
  version: string;
  /** Base URL of the first server, absolute or relative to the document. Null: the document names none. */
  server: string | null;
  operations: NamedOperation[];
  /** Operations that cannot be called, with the reason, at most 100. */
  skipped: string[];
}

/** Reads a parsed OpenAPI document of the version 3.0 or 3.1. Throws an OpenApiError. */
export function readDocument(document: unknown): ApiDescription {
  if (!isObject(document)) throw new OpenApiError('The document is not an OpenAPI document: it is not an object.');
  const { openapi, info, servers, paths } = document;
  if (typeof openapi !== 'string' || !/^3\.[01](?:\.|$)/.test(openapi))
    throw new OpenApiError(
      'The document is not an OpenAPI document of the version 3.0 or 3.1: see its member "openapi".',
    );
  const { title, version } = isObject(info) ? info : {};
  const { operations, skipped } = readOperations(document, isObject(paths) ? paths : {});
  return {
    title: shortText(title),
    version: shortText(version),
    server: serverOf(servers),
    operations,
    skipped: skipped.slice(0, MAX_SKIPPED),
  };
}

function readOperations(document: JsonObject, paths: JsonObject) {
  const operations = new Map<string, NamedOperation>();
  const skipped: string[] = [];
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item) || !path.startsWith('/')) continue;
    for (const method of METHODS) {
      if (!isObject(item[method.toLowerCase()])) continue;
      if (operations.size + skipped.length >= MAX_OPERATIONS)
        throw new OpenApiError(`The document has more than ${MAX_OPERATIONS} operations.`);
      try {
        const operation = readOperation(document, { path, method, item });
        const name = uniqueName(operation, operations);
        operations.set(name, { ...operation, name });
      } catch (error) {
        if (!(error instanceof OpenApiError)) throw error;
        skipped.push(`${method} ${path}: ${error.message}`.slice(0, 500));
      }
    }
  }
  return { operations: [...operations.values()], skipped };
}

function uniqueName({ operationId, method, path }: Operation, used: { has(name: string): boolean }): string {
  const preferred = operationId ?? `${method.toLowerCase()}${path}`;
  const plain =
    preferred
      .replace(/[^a-zA-Z0-9_-]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, MAX_NAME) || 'operation';
  // The longest suffix is `_1000`, because a document has at most 1000 operations.
  return numberedName(plain, name => used.has(name), plain.slice(0, MAX_NAME - 5));
}

/** The URL of the first server, with the defaults of its variables. */
function serverOf(servers: unknown): string | null {
  const [server] = Array.isArray(servers) ? servers : [];
  if (!isObject(server) || typeof server.url !== 'string' || server.url.length > 2048) return null;
  const variables = isObject(server.variables) ? server.variables : {};
  return server.url.replace(/\{([^{}]{1,100})\}/g, (placeholder, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : placeholder;
  });
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 255).toWellFormed().replaceAll('\0', '') : '';
}
