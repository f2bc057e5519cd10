import type { Interval } from './phrase-search.js';

/** Characters that are compared at once, and how many of a phrase's characters lie between two such windows. */
const WINDOW = 32;
const STEP = 16;
/** Every excerpt of this many characters is found. */
export const SHORTEST_EXCERPT = WINDOW + STEP - 1;

/**
 * Finds long phrases and excerpts of them, for instance where a text was cut off: by hashes of windows that slide over the
 * text (Karp and Rabin), each compared character by character. Linear in the text and in the phrases.
 */
export class ExcerptSearch {
  readonly #phrases: string;
  /** Open addressing: positions in `#phrases`, where a window begins, or -1. */
  readonly #slots: Int32Array;
  /** Beside each slot, where its phrase begins and ends. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #base = (Math.floor(Math.random() * 2 ** 31) << 1) | 1;
  /** What the first character of a window counts once the window has moved on. */
  readonly #leaving: number;

  /** Of phrases of at least `SHORTEST_EXCERPT` characters. */
  constructor(phrases: readonly string[]) {
    this.#phrases = phrases.join('');
    const windows = Math.ceil(this.#phrases.length / STEP) + 2 * phrases.length;
    const size = 2 ** Math.ceil(Math.log2(2 * windows + 2));
    this.#slots = new Int32Array(size).fill(-1);
    this.#starts = new Int32Array(size);
    this.#ends = new Int32Array(size);
    this.#leaving = Array.from({ length: WINDOW }).reduce<number>(power => Math.imul(power, this.#base), 1);
    let start = 0;
    for (const { length } of phrases) {
      for (let at = 0; at + WINDOW < length; at += STEP) this.#keep(start + at, start, start + length);
      this.#keep(start + length - WINDOW, start, start + length);
      start += length;
    }
  }

  /** What phrases and excerpts of them cover of the text, in order. */
  covered(text: string): Interval[] {
    const found: Interval[] = [];
    let hash = this.#hash(text, 0);
    for (let at = 0; at + WINDOW <= text.length; ) {
      const slot = this.#find(hash, text, at);
      if (this.#slots[slot]! < 0) {
        hash = this.#moved(hash, text, at);
        at++;
        continue;
      }
      const last = found.at(-1);
      const [from, to] = this.#extended(slot, text, at, last?.[1] ?? 0);
      if (last && last[1] >= from && last[1] > at) last[1] = Math.max(last[1], to);
      else found.push([from, to]);
      at = Math.max(at + 1, to - WINDOW + 1);
      hash = this.#hash(text, at);
    }
    return found;
  }

  /** As much around a window as stands around it in its phrase, from `earliest` on. */
  #extended(slot: number, text: string, at: number, earliest: number): Interval {
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

  #keep(position: number, start: number, end: number): void {
    const slot = this.#find(this.#hash(this.#phrases, position), this.#phrases, position);
    if (this.#slots[slot]! >= 0) return;
    this.#slots[slot] = position;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }

  /** The slot of the window that begins there, or the free one where it would be. */
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

  #moved(hash: number, text: string, at: number): number {
    const left = Math.imul(text.charCodeAt(at), this.#leaving);
    return (Math.imul(hash, this.#base) + text.charCodeAt(at + WINDOW) - left) | 0;
  }
}
