import { addInterval, type Interval } from './phrase-search.js';

/** Length of a compared window, and the distance between two indexed windows of a phrase. Both in characters. */
const WINDOW = 32;
const STEP = 16;
/** An excerpt extends by at most this many characters beyond the indexed windows inside it, on each side. */
const MARGIN = STEP - 1;
/** Every excerpt of at least this many characters is covered completely, because it contains a whole indexed window. */
export const SHORTEST_EXCERPT = WINDOW + MARGIN;

/**
 * Finds long phrases and excerpts of them, for instance where a text was truncated. A rolling hash over windows of the
 * text (Karp and Rabin) finds candidates, which are compared character by character. The time is linear in the text and
 * in the phrases.
 */
export class ExcerptSearch {
  readonly #phrases: string;
  /** Hash table with open addressing: the position in `#phrases` at which a window begins, or -1. */
  #slots = new Int32Array(64).fill(-1);
  /** Start and end of the phrase of each slot. */
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #windows = 0;
  /** Base of the hash: odd and random, so that no text can be made to collide. */
  readonly #base = (Math.floor(Math.random() * 2 ** 31) << 1) | 1;
  /** Weight of the character that leaves the window when it moves by one. */
  readonly #leavingWeight: number;

  /** Each phrase must have at least `SHORTEST_EXCERPT` characters. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases.join('');
    this.#leavingWeight = Array.from({ length: WINDOW }).reduce<number>(power => Math.imul(power, this.#base), 1);
    let start = 0;
    for (const { length } of phrases) {
      const end = start + length;
      for (let at = start; at + WINDOW < end; at += STEP) this.#addWithMargins(at, start, end);
      this.#addWithMargins(end - WINDOW, start, end);
      start = end;
    }
  }

  /** Returns the intervals of the text that phrases or excerpts cover, in order. Overlapping intervals are merged. */
  findCovered(text: string): Interval[] {
    const covered: Interval[] = [];
    let hash = this.#hash(text, 0);
    for (let at = 0; at + WINDOW <= text.length; at++) {
      const slot = this.#find(hash, text, at);
      if (this.#slots[slot]! >= 0) addInterval(covered, this.#extend(slot, text, at));
      hash = this.#rollHash(hash, text, at);
    }
    return covered;
  }

  /** Extends the window at `at` by at most `MARGIN` characters in each direction, as far as text and phrase agree. */
  #extend(slot: number, text: string, at: number): Interval {
    const shift = this.#slots[slot]! - at;
    const first = Math.max(0, at - MARGIN, this.#starts[slot]! - shift);
    const last = Math.min(text.length, at + WINDOW + MARGIN, this.#ends[slot]! - shift);
    let [from, to] = [at, at + WINDOW];
    while (from > first && text.charCodeAt(from - 1) === this.#phrases.charCodeAt(from - 1 + shift)) from--;
    while (to < last && text.charCodeAt(to) === this.#phrases.charCodeAt(to + shift)) to++;
    return [from, to];
  }

  /**
   * Indexes the window at `position` of the phrase from `start` to `end`. Where an equal window is indexed already,
   * matches are extended along the phrase of that one. The windows of this phrase that extend beyond such a match are
   * indexed as well.
   */
  #addWithMargins(position: number, start: number, end: number): void {
    const slot = this.#find(this.#hash(this.#phrases, position), this.#phrases, position);
    if (this.#slots[slot]! < 0) return this.#add(slot, position, start, end);
    const [from, to] = this.#extend(slot, this.#phrases, position);
    const last = Math.min(end, position + WINDOW + MARGIN) - WINDOW;
    this.#addAll(Math.max(start, position - MARGIN), from - 1, start, end);
    this.#addAll(to - WINDOW + 1, last, start, end);
  }

  /** Indexes the windows at `first` to `last`, except those that are equal to an indexed one. */
  #addAll(first: number, last: number, start: number, end: number): void {
    let hash = this.#hash(this.#phrases, first);
    for (let at = first; at <= last; at++) {
      const slot = this.#find(hash, this.#phrases, at);
      if (this.#slots[slot]! < 0) this.#add(slot, at, start, end);
      hash = this.#rollHash(hash, this.#phrases, at);
    }
  }

  #add(slot: number, position: number, start: number, end: number): void {
    this.#slots[slot] = position;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
    this.#windows++;
    if (2 * this.#windows >= this.#slots.length) this.#grow();
  }

  /** Doubles the table, so that it is at most half full. Its size is a power of two: a bit mask wraps the slots. */
  #grow(): void {
    const [slots, starts, ends] = [this.#slots, this.#starts, this.#ends];
    this.#slots = new Int32Array(2 * slots.length).fill(-1);
    this.#starts = new Int32Array(2 * slots.length);
    this.#ends = new Int32Array(2 * slots.length);
    for (const [index, position] of slots.entries()) {
      if (position < 0) continue;
      const slot = this.#find(this.#hash(this.#phrases, position), this.#phrases, position);
      this.#slots[slot] = position;
      this.#starts[slot] = starts[index]!;
      this.#ends[slot] = ends[index]!;
    }
  }

  /** Returns the slot of the window of the text at `at`, or the free slot for it. */
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
