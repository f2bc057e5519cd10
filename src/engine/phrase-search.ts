/** A range of characters: `from` is inclusive, `to` is exclusive. */
export type Interval = [from: number, to: number];

const CODES = 0x1_0000;

/**
 * Finds many phrases at once with the Aho-Corasick automaton. The time is linear in the text and in the phrases, for
 * any content. Own code, because libraries allocate objects for each character of a phrase; this automaton is built for
 * each run that has secrets.
 */
export class PhraseSearch {
  /** The next state by current state and character; state 0 is the start. */
  readonly #edges = new Map<number, number>();
  /** By state: the state of the longest proper suffix that is also a prefix of a phrase. */
  readonly #failure = [0];
  /** By state: the length of the longest phrase that ends there, 0 if none does. */
  readonly #longest = [0];

  constructor(phrases: Iterable<string>) {
    const levels: { state: number; parent: number; code: number }[][] = [];
    for (const phrase of phrases) {
      let state = 0;
      for (let at = 0; at < phrase.length; at++) {
        const code = phrase.charCodeAt(at);
        let next = this.#edges.get(state * CODES + code);
        if (next === undefined) {
          next = this.#longest.push(0) - 1;
          this.#edges.set(state * CODES + code, next);
          levels[at] ??= [];
          levels[at]!.push({ state: next, parent: state, code });
        }
        state = next;
      }
      this.#longest[state] = phrase.length;
    }
    // Shorter prefixes come first, because the failure state of a state is shorter than itself.
    for (const level of levels) for (const { state, parent, code } of level) this.#link(state, parent, code);
  }

  #link(state: number, parent: number, code: number): void {
    const failure = parent === 0 ? 0 : this.#next(this.#failure[parent]!, code);
    this.#failure[state] = failure;
    this.#longest[state] ||= this.#longest[failure]!;
  }

  #next(from: number, code: number): number {
    for (let state = from; ; state = this.#failure[state]!) {
      const next = this.#edges.get(state * CODES + code);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }

  /** Returns the intervals of the text that phrases cover, in order. Overlapping intervals are merged. */
  findCovered(text: string): Interval[] {
    const covered: Interval[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.#next(state, text.charCodeAt(at));
      const length = this.#longest[state]!;
      if (length > 0) addInterval(covered, [at + 1 - length, at + 1]);
    }
    return covered;
  }
}

/** Merges overlapping intervals. Adjacent intervals stay separate: each is an occurrence, which gets its own mask. */
export function mergeIntervals(...lists: Interval[][]): Interval[] {
  const filled = lists.filter(list => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const all: Interval[] = [];
  for (const interval of filled.flat().sort((a, b) => a[1] - b[1])) addInterval(all, interval);
  return all;
}

/** Adds an interval and merges it with those it overlaps. It must end behind the start of the last one. */
export function addInterval(merged: Interval[], interval: Interval): void {
  let [from, to] = interval;
  for (let last = merged.at(-1); last !== undefined && last[1] > from; last = merged.at(-1)) {
    from = Math.min(from, last[0]);
    to = Math.max(to, last[1]);
    merged.pop();
  }
  merged.push([from, to]);
}
