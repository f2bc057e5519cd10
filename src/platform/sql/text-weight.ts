/**
 * About how many characters a JSON value takes as text: those of its strings and names. Reads no further once that is more
 * than `limit`, so that it costs little next to what the text itself would cost.
 */
export function textWeight(value: unknown, limit: number): number {
  const left: unknown[] = [value];
  let weight = 0;
  while (left.length > 0 && weight <= limit) {
    const next = left.pop();
    if (typeof next === 'string') weight += next.length;
    else if (ArrayBuffer.isView(next)) weight += next.byteLength;
    else if (Array.isArray(next)) for (const item of next) left.push(item);
    else if (typeof next === 'object' && next !== null)
      for (const name in next) {
        weight += name.length;
        left.push((next as Record<string, unknown>)[name]);
      }
    else weight += 4;
  }
  return weight;
}
