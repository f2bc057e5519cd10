import { isObject } from '../../../engine/json-value.js';

/** Returns the strings in member `id` of the entries of the array in member `list`. Other values are skipped. */
export function listedIds(answer: unknown, list: string, id: string): string[] {
  const listed = isObject(answer) && Array.isArray(answer[list]) ? answer[list] : [];
  return listed.flatMap((entry: unknown) => (isObject(entry) && typeof entry[id] === 'string' ? [entry[id]] : []));
}
