import { isObject, isShallow, type JsonObject, parseJsonText, textOf } from '../json-value.js';
import { storable } from '../storable.js';
import type { LocalVariable } from './events/run-event.js';

/** Maximum number of variables in one answer. */
const MAX_LOCAL_VARIABLES = 1000;
const MAX_NAME = 200;

/**
 * Reads the variables of a model's answer: members of a JSON object, items of a JSON list, or lines of `name: value`. A
 * list item with `name` and `value` is named by its `name`, others by their index from 0. A line without a name of at most 200
 * characters continues the previous value. Returns undefined without variables, for more than 1000, and for a longer name in JSON.
 */
export function readLocalVariables(answer: string): LocalVariable[] | undefined {
  const json = parseJsonText(answer);
  if (json !== undefined && !isShallow(json)) return undefined;
  const variables = variablesIn(json, answer);
  if (variables === undefined || variables.length > MAX_LOCAL_VARIABLES) return undefined;
  if (variables.some(({ name }) => name.length > MAX_NAME)) return undefined;
  // JSON escapes can contain characters that PostgreSQL rejects.
  return variables.map(({ name, value }) => ({ name: storable(name), value: storable(value) }));
}

function variablesIn(json: unknown, answer: string): LocalVariable[] | undefined {
  if (Array.isArray(json)) return fromItems(json);
  return isObject(json) ? fromMembers(json) : fromLines(answer);
}

function fromMembers(json: JsonObject): LocalVariable[] {
  return Object.entries(json).map(([name, value]) => ({ name, value: textOf(value) }));
}

function fromItems(json: readonly unknown[]): LocalVariable[] {
  return json.map((item, index) => {
    if (isObject(item) && typeof item.name === 'string' && Object.hasOwn(item, 'value')) {
      return { name: item.name, value: textOf(item.value) };
    }
    return { name: String(index), value: textOf(item) };
  });
}

function fromLines(answer: string): LocalVariable[] | undefined {
  const variables: LocalVariable[] = [];
  for (const line of answer.split('\n')) {
    if (line.trimStart().startsWith('```')) continue;
    const colon = line.indexOf(':');
    const name = line
      .slice(0, Math.max(colon, 0))
      .replace(/^\s*[-*]\s/, '')
      .trim();
    const last = variables.at(-1);
    if (name !== '' && name.length <= MAX_NAME) variables.push({ name, value: line.slice(colon + 1).trim() });
    else if (last && line.trim() !== '') last.value += `\n${line.trim()}`;
    if (variables.length > MAX_LOCAL_VARIABLES) return undefined;
  }
  return variables.length === 0 ? undefined : variables;
}
