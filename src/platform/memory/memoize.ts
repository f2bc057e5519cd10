const MAX_ENTRIES = 500;
const MAX_LENGTH = 500;

/**
 * Caches the results of `make` for short texts. Use it for functions that are called with the same few texts again and
 * again. Errors are not cached. The full cache is cleared, because tracking the least recently used entries costs more
 * than it saves.
 */
export function memoize<T extends NonNullable<unknown>>(make: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return text => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = make(text);
    if (text.length > MAX_LENGTH) return value;
    if (cache.size === MAX_ENTRIES) cache.clear();
    cache.set(text, value);
    return value;
  };
}
