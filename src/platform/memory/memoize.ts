const MOST = 500;
const LONGEST = 500;

/**
 * `make`, which remembers what it made of the texts that it was given, of those that are not long: for what is asked of the
 * same few again and again. What it throws is not remembered. Once it is full it begins anew: a cache that knows what was
 * asked for last spends more on that than is spared here.
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
