/** `<variable>-1,V,N</variable>`: the value `name` of the variable, or its `pick`th active one, counted from 0. */
export interface VariablePlaceholder {
  readonly kind: 'variable';
  /** -1: by name, in a loop over the variable the current item. */
  readonly pick: number;
  readonly variable: number;
  readonly name?: number;
  readonly text: string;
}

/** `<message>0,M</message>`: the message's `pick`th result, counted from 0. */
export interface MessagePlaceholder {
  readonly kind: 'message';
  readonly pick: number;
  readonly message: number;
  readonly text: string;
}

export type Placeholder = VariablePlaceholder | MessagePlaceholder;

/** Texts and placeholders in turn, as they stand in the content. */
export type Template = readonly (string | Placeholder)[];

/** Tags around anything but numbers are text: prompts are full of tags. */
const PATTERN =
  /<variable>\s*(-?\d+)\s*,\s*(\d+)\s*(?:,\s*(?:(\d+)\s*)?)?<\/variable>|<message>\s*(-?\d+)\s*,\s*(\d+)\s*<\/message>/g;

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

export function placeholdersOf(template: Template): Placeholder[] {
  return template.filter(part => typeof part !== 'string');
}

/** Values are inserted as they are: what looks like a placeholder in one of them stays text. */
export function fill(template: Template, insert: (placeholder: Placeholder) => string): string {
  return template.map(part => (typeof part === 'string' ? part : insert(part))).join('');
}
