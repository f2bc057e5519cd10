import { createHash } from 'node:crypto';

/** Dimensions of a vector by default, and at most. */
const DEFAULT_SIZE = 256;
const MAX_SIZE = 3_072;

/** A deterministic vector of length 1. Texts with common words have similar vectors. `size` is limited to 1 to 3,072. */
export function echoVector(text: string, size: number = DEFAULT_SIZE): number[] {
  const vector = new Array<number>(Math.min(Math.max(size, 1), MAX_SIZE)).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words) {
    const hash = createHash('sha256').update(word).digest();
    const at = hash.readUInt32LE(0) % vector.length;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map(value => value / length);
}
