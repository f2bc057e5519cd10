import { Transform, type TransformCallback } from 'node:stream';
import { MASK } from '../../engine/secrets.js';

/** Shorter keys are those of servers that ask for none, and words of any text. */
const MIN_MASKED_KEY = 16;

export function masked(text: string, apiKey: string): string {
  return KeyMask.hides(apiKey) ? text.replaceAll(apiKey, MASK) : text;
}

/** The same in bytes; those that do not hold the key are not copied. */
export function maskedBytes(bytes: Buffer, apiKey: string): Buffer {
  if (!KeyMask.hides(apiKey) || !bytes.includes(apiKey)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(Buffer.from(apiKey).toString('latin1'), MASK), 'latin1');
}

/** Hides a key in bytes that pass. Nothing waits, save what may be the beginning of the key. */
export class KeyMask extends Transform {
  readonly #key: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(apiKey: string) {
    super();
    this.#key = Buffer.from(apiKey);
  }

  static hides(apiKey: string): boolean {
    return apiKey.length >= MIN_MASKED_KEY;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    for (let at = rest.indexOf(this.#key); at >= 0; at = rest.indexOf(this.#key)) {
      this.push(Buffer.concat([rest.subarray(0, at), Buffer.from(MASK)]));
      rest = rest.subarray(at + this.#key.length);
    }
    const kept = this.#beginningAtEndOf(rest);
    this.#held = rest.subarray(rest.length - kept);
    if (rest.length > kept) this.push(rest.subarray(0, rest.length - kept));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#held.length > 0) this.push(this.#held);
    done();
  }

  /** How many bytes at the end could be the key's first ones. */
  #beginningAtEndOf(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#key.length - 1); length > 0; length--) {
      if (bytes[bytes.length - length] !== this.#key[0]) continue;
      if (bytes.subarray(bytes.length - length).equals(this.#key.subarray(0, length))) return length;
    }
    return 0;
  }
}
