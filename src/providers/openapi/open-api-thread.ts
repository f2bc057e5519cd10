import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';
import { OpenApiError } from '../../engine/openapi/open-api-error.js';
import { readDocument } from '../../engine/openapi/read-document.js';
import type { ThreadAnswer } from './open-api-reader.js';

const MAX_YAML = 1024 * 1024;
/** Aliases repeat parts of a document. More of them could multiply its size. */
const MAX_ALIASES = 100;

function answer(text: string): ThreadAnswer {
  try {
    return { description: readDocument(parsed(text)) };
  } catch (error) {
    if (error instanceof OpenApiError) return { fault: error.message };
    throw error;
  }
}

function parsed(text: string): unknown {
  const isJson = /^\s*\{/.test(text);
  if (!isJson && text.length > MAX_YAML)
    throw new OpenApiError('The document is larger than 1 MiB. Convert it to JSON, which may have 4 MiB.');
  try {
    return isJson ? JSON.parse(text) : parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error', schema: 'core' });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
    throw new OpenApiError(`The document is not valid ${isJson ? 'JSON' : 'YAML'}: ${reason.slice(0, 200)}`);
  }
}

parentPort!.postMessage(answer((workerData as { text: string }).text.replace(/^\uFEFF/, '')));
