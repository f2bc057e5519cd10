/** `<variable>-1,V,N</variable>`: value N of variable V. `<variable>P,V</variable>`: the active value at index P. */
export interface VariablePlaceholder {
  readonly kind: 'variable';
  /** Index of an active value, from 0. -1: select by name; in a loop over the variable, the current item. */
  readonly pick: number;
  readonly variable: number;
  readonly name?: number;
  readonly text: string;
}

/** `<message>P,M</message>`: the result of message M at index P, from 0. */
export interface MessagePlaceholder {
  readonly kind: 'message';
  readonly pick: number;
  readonly message: number;
  readonly text: string;
}

export type Placeholder = VariablePlaceholder | MessagePlaceholder;

/** Literal texts and placeholders in the order of the content. */
export type Template = readonly (string | Placeholder)[];

/** Tags with other content than numbers are literal text, because prompts contain many tags. */
const PATTERN =
  /<variable>\s*(-?\d+)\s*,\s*(\d+)\s*(?:,\s*(?:(\d+)\s*)?)?<\/variable>|<message>\s*(-?\d+)\s*,\s*(\d+)\s*<\/message>/g;

/** Splits content into literal texts and placeholders. */
export function parseTemplate(content: string): Template {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of content.matchAll(PATTERN)) {
    if (match.index > end) parts.push(content.slice(end, match.index));
    parts.push(placeholder(match));
    end = match.index + match[0].length;
  }
  if (end < content.length) parts.push(content.slice(end));
  return parts;
}

function placeholder([text, pick, variable, name, result, message]: RegExpMatchArray): Placeholder {
  if (message !== undefined) return { kind: 'message', pick: Number(result), message: Number(message), text };
  return {
    kind: 'variable',
    pick: Number(pick),
    variable: Number(variable),
    ...(name ? { name: Number(name) } : {}),
    text,
  };
}

/** Returns the placeholders of a template. */
export function placeholdersOf(template: Template): Placeholder[] {
  return template.filter(part => typeof part !== 'string');
}

/** Replaces the placeholders of a template. Inserted values are not parsed for placeholders. */
export function fill(template: Template, insert: (placeholder: Placeholder) => string): string {
  return template.map(part => (typeof part === 'string' ? part : insert(part))).join('');
}
