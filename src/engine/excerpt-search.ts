import type { Interval } from './phrase-search.js';

/** Length of a compared window, and the distance between two indexed windows of a phrase. Both in characters. */
const WINDOW = 32;
const STEP = 16;
/** Every excerpt of at least this many characters is found, because it contains a whole indexed window. */
export const SHORTEST_EXCERPT = WINDOW + STEP - 1;

/**
 * Finds long phrases and excerpts of them, for instance where a text was truncated. A rolling hash over windows of the
 * text (Karp and Rabin) finds candidates, which are compared character by character. The time is linear in the text and
 * in the phrases.
 */
export class ExcerptSearch {
  readonly #phrases: string;
  /** Hash table with open addressing: the position in `#phrases` at which a window begins, or -1. */
  readonly #slots: Int32Array;
  /** Start and end of the phrase of each slot. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** Base of the hash: odd and random, so that no text can be made to collide. */
  readonly #base = (Math.floor(Math.random() * 2 ** 31) << 1) | 1;
  /** Weight of the character that leaves the window when it moves by one. */
  readonly #leavingWeight: number;

  /** Each phrase must have at least `SHORTEST_EXCERPT` characters. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases.join('');
    const windows = Math.ceil(this.#phrases.length / STEP) + 2 * phrases.length;
    // A power of two, so that a bit mask wraps positions. The table is at most half full.
    const size = 2 ** Math.ceil(Math.log2(2 * windows + 2));
    this.#slots = new Int32Array(size).fill(-1);
    this.#starts = new Int32Array(size);
    this.#ends = new Int32Array(size);
    this.#leavingWeight = Array.from({ length: WINDOW }).reduce<number>(power => Math.imul(power, this.#base), 1);
    let start = 0;
    for (const { length } of phrases) {
      for (let at = 0; at + WINDOW < length; at += STEP) this.#addWindow(start + at, start, start + length);
      this.#addWindow(start + length - WINDOW, start, start + length);
      start += length;
    }
  }

  /** Returns the intervals of the text that phrases or excerpts cover, in order. */
  findCovered(text: string): Interval[] {
    const covered: Interval[] = [];
    let hash = this.#hash(text, 0);
    for (let at = 0; at + WINDOW <= text.length; ) {
      const slot = this.#find(hash, text, at);
      if (this.#slots[slot]! < 0) {
        hash = this.#rollHash(hash, text, at);
        at++;
        continue;
      }
      const last = covered.at(-1);
      const [from, to] = this.#extend(slot, text, at, last?.[1] ?? 0);
      // Overlapping intervals are merged. Adjacent ones stay separate.
      if (last && last[1] > at) last[1] = Math.max(last[1], to);
      else covered.push([from, to]);
      // The match ends at `to`, so the next one must include the character there.
      at = Math.max(at + 1, to - WINDOW + 1);
      hash = this.#hash(text, at);
    }
    return covered;
  }

  /** Extends a match in both directions as far as text and phrase agree, but not in front of `earliest`. */
  #extend(slot: number, text: string, at: number, earliest: number): Interval {
    const position = this.#slots[slot]!;
    let before = 0;
    while (
      at - before > earliest &&
      position - before > this.#starts[slot]! &&
      text.charCodeAt(at - before - 1) === this.#phrases.charCodeAt(position - before - 1)
    )
      before++;
    let length = WINDOW;
    while (
      at + length < text.length &&
      position + length < this.#ends[slot]! &&
      text.charCodeAt(at + length) === this.#phrases.charCodeAt(position + length)
    )
      length++;
    return [at - before, at + length];
  }

  #addWindow(position: number, start: number, end: number): void {
    const slot = this.#find(this.#hash(this.#phrases, position), this.#phrases, position);
    if (this.#slots[slot]! >= 0) return;
    this.#slots[slot] = position;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }

  /** Returns the slot of the window at `at`, or the free slot for it. */
  #find(hash: number, text: string, at: number): number {
    const last = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & last; ; slot = (slot + 1) & last) {
      const position = this.#slots[slot]!;
      if (position < 0 || this.#isSame(position, text, at)) return slot;
    }
  }

  #isSame(position: number, text: string, at: number): boolean {
    for (let index = 0; index < WINDOW; index++)
      if (this.#phrases.charCodeAt(position + index) !== text.charCodeAt(at + index)) return false;
    return true;
  }

  #hash(text: string, at: number): number {
    let hash = 0;
    const end = Math.min(at + WINDOW, text.length);
    for (let index = at; index < end; index++) hash = (Math.imul(hash, this.#base) + text.charCodeAt(index)) | 0;
    return hash;
  }

  #rollHash(hash: number, text: string, at: number): number {
    const left = Math.imul(text.charCodeAt(at), this.#leavingWeight);
    return (Math.imul(hash, this.#base) + text.charCodeAt(at + WINDOW) - left) | 0;
  }
}
