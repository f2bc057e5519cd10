import { isObject, isShallow, type JsonObject } from '../../../../json-value.js';
import { storable } from '../../../../storable.js';
import { cutText } from '../../../../text/cut-text.js';
import { numberedName } from '../../../../text/numbered-name.js';

/** Maximum bytes of a tool result for the model. Longer results are truncated. */
const MAX_RESULT_BYTES = 64 * 1024;
const MAX_ARGUMENTS = 256 * 1024;

/** Truncates a tool result for the model and the record. */
export function truncateText(text: string): string {
  return cutText(text, MAX_RESULT_BYTES, 'result');
}

/** Parses tool arguments from a model, or returns a fault as feedback for it. An empty text means no arguments. */
export function parseArguments(text: string): { args: JsonObject } | { fault: string } {
  if (text.length > MAX_ARGUMENTS) return { fault: `The arguments must have at most ${MAX_ARGUMENTS} characters.` };
  const fault = 'The arguments must be a JSON object.';
  try {
    const args: unknown = text.trim() === '' ? {} : JSON.parse(text, (_, value) => toStorable(value));
    return isObject(args) && isShallow(args) ? { args } : { fault };
  } catch {
    return { fault };
  }
}

function toStorable(value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value;
}

/** Returns a function name that providers accept (1-64 letters, digits, `_` and `-`) and that is not in `usedNames`. */
export function functionName(preferred: string, usedNames: { has(name: string): boolean }): string {
  const plain = preferred.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool';
  return numberedName(plain, name => usedNames.has(name), plain.slice(0, 60));
}
