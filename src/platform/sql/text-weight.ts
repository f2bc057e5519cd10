/**
 * Estimates the length of a JSON value as text in characters, from its strings and names. Stops above `limit`, so that
 * the estimate is cheap compared to serialization.
 */
export function textWeight(value: unknown, limit: number): number {
  const stack: unknown[] = [value];
  let weight = 0;
  while (stack.length > 0 && weight <= limit) {
    const next = stack.pop();
    if (typeof next === 'string') weight += next.length;
    else if (ArrayBuffer.isView(next)) weight += next.byteLength;
    else if (Array.isArray(next)) for (const item of next) stack.push(item);
    else if (typeof next === 'object' && next !== null)
      for (const name in next) {
        weight += name.length;
        stack.push((next as Record<string, unknown>)[name]);
      }
    else weight += 4;
  }
  return weight;
}
