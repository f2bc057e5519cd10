import type { EditorKindsQuery } from '../editor.generated';

export type Kind = EditorKindsQuery['nodeKinds'][number];
export type Field = Kind['uiHints']['fields'][number];
export type Kinds = ReadonlyMap<string, Kind>;

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

/** Lower case, with one space between words and no other characters. */
const toPlain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The kinds that contain all words, by group. The best matches, and their groups, come first. */
export function findKinds(kinds: readonly Kind[], words: string): KindGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const titles = [...new Set([...Object.values(CATEGORIES), ...kinds.map(({ category }) => categoryTitle(category))])];
  const found = kinds.filter(({ title, description, type, category }) => {
    const text = `${title} ${description} ${type} ${category}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  });
  const text = toPlain(words);
  const rank = (kind: Kind) => rankOf(toPlain(kind.title), text);
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

/** How well a title matches: 0 if it begins with the text, 1 if one of its words does, 2 if it contains it, else 3. */
function rankOf(title: string, text: string): number {
  if (title.startsWith(text)) return 0;
  if (title.includes(` ${text}`)) return 1;
  return title.includes(text) ? 2 : 3;
}
