import { isObject, isShallow, type JsonObject } from '../../../json-value.js';
import { storable } from '../../../storable.js';

/** Bytes of a tool's result that the model is given; the rest is cut. */
const MAX_RESULT_BYTES = 64 * 1024;
const MAX_ARGUMENTS = 256 * 1024;
const NOTE = `\n[cut: the result was longer than ${MAX_RESULT_BYTES} bytes]`;

/** A tool's result as the model is given it and as it is recorded. */
export function truncateText(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_RESULT_BYTES) return text;
  // A character that was cut in two is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_RESULT_BYTES - NOTE.length), { stream: true });
  return kept + NOTE;
}

/** The arguments that a model wrote, or what to tell it about them. An empty text stands for none. */
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

/** A name that providers take for a function, unlike all those taken: 1-64 letters, digits, `_` and `-`. */
export function functionName(wanted: string, taken: { has(name: string): boolean }): string {
  const plain = wanted.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool';
  let name = plain;
  for (let count = 2; taken.has(name); count++) name = `${plain.slice(0, 60)}_${count}`;
  return name;
}
