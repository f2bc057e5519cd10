const MOST = 500;
const LONGEST = 500;

/**
 * Caches the results of `make` for short texts. Use it for functions that are called with the same few texts again and
 * again. Errors are not cached. The full cache is cleared, because tracking the least recently used entries costs more
 * than it saves.
 */
export function memoize<T extends NonNullable<unknown>>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return text => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const one = make(text);
    if (text.length > LONGEST) return one;
    if (made.size === MOST) made.clear();
    made.set(text, one);
    return one;
  };
}
