/** A JSON object of unknown members, as graphs and settings of nodes are stored. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value at a path such as `messages.0.role`. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return at;
}

/** A copy with another value at the path. `undefined` removes the member and emptied objects; missing objects are created. */
export function withValueAt(value: unknown, [name, ...rest]: readonly string[], next: unknown): unknown {
  if (name === undefined) return next;
  if (Array.isArray(value)) {
    const items = [...value];
    items[Number(name)] = withValueAt(items[Number(name)], rest, next);
    return items;
  }
  const members = isObject(value) ? value : {};
  const inner = withValueAt(members[name], rest, next);
  const isEmptied = next === undefined && isObject(inner) && Object.keys(inner).length === 0;
  if (inner !== undefined && !isEmptied) return { ...members, [name]: inner };
  const { [name]: _, ...others } = members;
  return others;
}

/** A text unchanged, another value as JSON, an absent one as the empty text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Undefined if the text is not JSON. A Markdown fence around it is ignored, as placeholders do. */
export function parseJson(text: string): unknown {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced ?? text) as unknown;
  } catch {
    return undefined;
  }
}
