import { canonicalJson, isObject } from '../../../json-value.js';
import type { ArgumentsEdit } from '../../../wait-ports.js';

/**
 * Returns the edited value in which each unchanged part is the original one. A mask whose original is not known stays:
 * the service refuses such an edit before it records it.
 */
export function applyEdit({ shown, edited }: ArgumentsEdit, original: unknown): unknown {
  if (Array.isArray(edited) && Array.isArray(shown) && Array.isArray(original)) {
    const origins = originsOfItems(edited, shown);
    return edited.map((item, index) => {
      const origin = origins[index];
      return origin === undefined ? item : applyEdit({ shown: shown[origin], edited: item }, original[origin]);
    });
  }
  if (isObject(edited) && isObject(shown) && isObject(original)) {
    const members = Object.entries(edited).map(([name, member]): [string, unknown] => [
      name,
      Object.hasOwn(shown, name) && Object.hasOwn(original, name)
        ? applyEdit({ shown: shown[name], edited: member }, original[name])
        : member,
    ]);
    return Object.fromEntries(members);
  }
  return edited === shown ? original : edited;
}

/**
 * Returns, for each item of an edited list, the index of the shown item whose secrets its masks stand for. Undefined: not
 * known. The index in the edited list does not identify an item, because a person can remove and move items:
 * - Equal items keep their order. If there are more or fewer of them than in the shown list, it is not known which of
 *   them were added or removed.
 * - A changed item is the one at the same index if the rest of the list is unchanged.
 */
export function originsOfItems(edited: readonly unknown[], shown: readonly unknown[]): (number | undefined)[] {
  const [before, after] = [shown.map(item => canonicalJson(item)), edited.map(item => canonicalJson(item))];
  const shownIndexes = indexesByText(before);
  const origins = new Array<number | undefined>(edited.length).fill(undefined);
  for (const [text, indexes] of indexesByText(after)) {
    const known = shownIndexes.get(text) ?? [];
    if (known.length === indexes.length) for (const [at, index] of indexes.entries()) origins[index] = known[at];
  }
  const changed = after.flatMap((text, index) => (text === before[index] ? [] : [index]));
  const [change, ...otherChanges] = changed;
  const isOnlyChange = before.length === after.length && otherChanges.length === 0;
  if (change !== undefined && isOnlyChange && !shownIndexes.has(after[change]!)) origins[change] = change;
  return origins;
}

function indexesByText(texts: readonly string[]): Map<string, number[]> {
  return Map.groupBy(texts.keys(), index => texts[index]!);
}
