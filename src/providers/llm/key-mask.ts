import { MASK } from '../../engine/secrets.js';
import type { ChunkMapper } from '../../platform/streams/mapped-stream.js';

/** Shorter keys are placeholders for servers without authentication, and can occur in any text. */
const MIN_MASKED_KEY = 16;
const MASK_BYTES = Buffer.from(MASK);
const NOTHING = Buffer.alloc(0);

/** Replaces the key in a text by the mask. */
export function maskKey(text: string, apiKey: string): string {
  return KeyMask.hides(apiKey) ? text.replaceAll(apiKey, MASK) : text;
}

/** Replaces the key in bytes by the mask. Bytes without the key are returned without a copy. */
export function maskKeyInBytes(bytes: Buffer, apiKey: string): Buffer {
  if (!KeyMask.hides(apiKey) || !bytes.includes(apiKey)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(Buffer.from(apiKey).toString('latin1'), MASK), 'latin1');
}

/** Masks a key in the chunks of a stream. It delays only bytes that may be the beginning of the key. */
export class KeyMask implements ChunkMapper {
  readonly #key: Buffer;
  #pending: Buffer = NOTHING;

  constructor(apiKey: string) {
    this.#key = Buffer.from(apiKey);
  }

  static hides(apiKey: string): boolean {
    return apiKey.length >= MIN_MASKED_KEY;
  }

  map(chunk: Buffer): Buffer {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    const masked: Buffer[] = [];
    for (let at = rest.indexOf(this.#key); at >= 0; at = rest.indexOf(this.#key)) {
      masked.push(rest.subarray(0, at), MASK_BYTES);
      rest = rest.subarray(at + this.#key.length);
    }
    const matchLength = this.#beginningAtEndOf(rest);
    this.#pending = matchLength > 0 ? rest.subarray(rest.length - matchLength) : NOTHING;
    if (matchLength > 0) rest = rest.subarray(0, rest.length - matchLength);
    return masked.length > 0 ? Buffer.concat([...masked, rest]) : rest;
  }

  end(): Buffer {
    return this.#pending;
  }

  /** The number of bytes at the end that could be the beginning of the key. */
  #beginningAtEndOf(bytes: Buffer): number {
    const first = this.#key[0]!;
    const from = Math.max(0, bytes.length - this.#key.length + 1);
    for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
      const length = bytes.length - at;
      if (bytes.subarray(at).equals(this.#key.subarray(0, length))) return length;
    }
    return 0;
  }
}
