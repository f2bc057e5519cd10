export type JsonObject = Record<string, unknown>;

/**
 * Maximum nesting depth. Request validation rejects deeper values; this limit protects recursive code from a stack
 * overflow.
 */
export const MAX_DEPTH = 64;

/** Returns true for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for a missing value, null and the empty text. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Sets an own property of any name. An assignment to `__proto__` would set the prototype instead. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** Converts a value for use inside a text: strings are unchanged, everything else becomes JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Serializes to JSON with sorted property names, so that equal objects give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/**
 * Parses JSON, without a surrounding Markdown code fence, which some models add. Returns undefined for invalid JSON.
 */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(withoutFence(text));
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```')) return trimmed;
  const firstLineEnd = trimmed.indexOf('\n');
  const end = trimmed.lastIndexOf('```');
  // In a fence of one line only the language `json` is removed: any other word may be the value, such as `true`.
  if (firstLineEnd === -1) return trimmed.slice(3, end > 3 ? end : undefined).replace(/^json\b/i, '');
  return trimmed.slice(firstLineEnd + 1, end > firstLineEnd ? end : undefined);
}

/** Returns true if all numbers in a value of limited depth are finite. */
export function isFiniteJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isFiniteJson);
}

/** Returns true if the value is nested at most `MAX_DEPTH` levels deep. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    level = next;
  }
  return true;
}
