import type { EditorKindsQuery } from '../editor.generated';
import { isObject, listOf, textOf, valueAt } from './json';

export type Kind = EditorKindsQuery['nodeKinds'][number];
export type Field = Kind['uiHints']['fields'][number];
export type Kinds = ReadonlyMap<string, Kind>;

export interface Output {
  /** Null for the output of a kind without branches, which may have an `error` output too. */
  handle: string | null;
  title: string;
}

const SINGLE_OUTPUT: readonly Output[] = [{ handle: null, title: '' }];

/** The outputs of one node. An output with a `list` stands for one output per item of that member of `data`. */
export function outputsOf(kind: Kind | undefined, data: Record<string, unknown>): readonly Output[] {
  if (!kind) return SINGLE_OUTPUT;
  return kind.outputs.flatMap(({ handle, title, list, showIf }): Output[] => {
    // Conditions of outputs refer to members of all kinds, such as `on_error`, which have no defaults.
    if (showIf && !showIf.equals.includes(data[showIf.path])) return [];
    if (handle === null) return [...SINGLE_OUTPUT];
    if (list === null) return [{ handle, title }];
    // The kind has the handle of the first item, such as `case-0`.
    return listOf(valueAt(data, list.split('.'))).map((item, index) => ({
      handle: handle.replace(/\d+$/, String(index)),
      title: (isObject(item) && textOf(item.equals)) || `${title} ${index + 1}`,
    }));
  });
}

/** Groups of the list in their order. Unknown categories follow. */
const CATEGORIES: Record<string, string> = {
  START: 'Start and end',
  AI: 'AI',
  LOGIC: 'Logic',
  DATA: 'Data',
  INTEGRATION: 'Integrations',
  END: 'Start and end',
};

export function categoryTitle(category: string): string {
  return CATEGORIES[category] ?? category.charAt(0) + category.slice(1).toLowerCase().replaceAll('_', ' ');
}

export interface KindGroup {
  title: string;
  kinds: Kind[];
}

/** The kinds that contain all words, by group. Those with the first word in the title, and their groups, come first. */
export function findKinds(kinds: readonly Kind[], words: string): KindGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const titles = [...new Set([...Object.values(CATEGORIES), ...kinds.map(({ category }) => categoryTitle(category))])];
  const found = kinds.filter(({ title, description, type, category }) => {
    const text = `${title} ${description} ${type} ${category}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  });
  const [first = ''] = wanted;
  const rank = ({ title }: Kind) => (first !== '' && title.toLowerCase().includes(first) ? 0 : 1);
  return titles
    .map(title => ({
      title,
      kinds: found
        .filter(({ category }) => categoryTitle(category) === title)
        .toSorted((one, other) => rank(one) - rank(other)),
    }))
    .filter(({ kinds: list }) => list.length > 0)
    .toSorted((one, other) => Math.min(...one.kinds.map(rank)) - Math.min(...other.kinds.map(rank)));
}
