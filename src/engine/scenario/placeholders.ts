/**
 * `<variable>-1,V,N</variable>`: the value with the id N of the variable with the id V. `<variable>P,V</variable>`: the
 * active value of V at index P.
 */
export interface VariablePlaceholder {
  readonly kind: 'variable';
  /**
   * Index of an active value, from 0. -1: the current item in a loop over this variable, otherwise the value with the id
   * `valueId`. Other negative numbers never resolve.
   */
  readonly pick: number;
  readonly variableId: number;
  /** Id of a named value of the variable. */
  readonly valueId?: number;
  readonly text: string;
}

/** `<message>P,M</message>`: the result at index P, from 0, of the message with the id M. */
export interface MessagePlaceholder {
  readonly kind: 'message';
  readonly pick: number;
  readonly messageId: number;
  readonly text: string;
}

/** A placeholder in the content of a prompt. */
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
    parts.push(toPlaceholder(match));
    end = match.index + match[0].length;
  }
  if (end < content.length) parts.push(content.slice(end));
  return parts;
}

function toPlaceholder([text, pick, variableId, valueId, result, messageId]: RegExpMatchArray): Placeholder {
  if (messageId !== undefined) return { kind: 'message', pick: Number(result), messageId: Number(messageId), text };
  return {
    kind: 'variable',
    pick: Number(pick),
    variableId: Number(variableId),
    ...(valueId ? { valueId: Number(valueId) } : {}),
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
