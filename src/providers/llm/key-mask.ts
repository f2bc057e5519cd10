import { Transform, type TransformCallback } from 'node:stream';
import { MASK } from '../../engine/secrets.js';

/** Shorter keys are placeholders for servers without authentication, and can occur in any text. */
const MIN_MASKED_KEY = 16;

/** Replaces the key in a text by the mask. */
export function maskKey(text: string, apiKey: string): string {
  return KeyMask.hides(apiKey) ? text.replaceAll(apiKey, MASK) : text;
}

/** Replaces the key in bytes by the mask. Bytes without the key are returned without a copy. */
export function maskKeyInBytes(bytes: Buffer, apiKey: string): Buffer {
  if (!KeyMask.hides(apiKey) || !bytes.includes(apiKey)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(Buffer.from(apiKey).toString('latin1'), MASK), 'latin1');
}

/** A stream that masks a key. It delays only bytes that may be the beginning of the key. */
export class KeyMask extends Transform {
  readonly #key: Buffer;
  #pending: Buffer = Buffer.alloc(0);

  constructor(apiKey: string) {
    super();
    this.#key = Buffer.from(apiKey);
  }

  static hides(apiKey: string): boolean {
    return apiKey.length >= MIN_MASKED_KEY;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    for (let at = rest.indexOf(this.#key); at >= 0; at = rest.indexOf(this.#key)) {
      this.push(Buffer.concat([rest.subarray(0, at), Buffer.from(MASK)]));
      rest = rest.subarray(at + this.#key.length);
    }
    const matchLength = this.#beginningAtEndOf(rest);
    this.#pending = rest.subarray(rest.length - matchLength);
    if (rest.length > matchLength) this.push(rest.subarray(0, rest.length - matchLength));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#pending.length > 0) this.push(this.#pending);
    done();
  }

  /** The number of bytes at the end that could be the beginning of the key. */
  #beginningAtEndOf(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#key.length - 1); length > 0; length--) {
      if (bytes[bytes.length - length] !== this.#key[0]) continue;
      if (bytes.subarray(bytes.length - length).equals(this.#key.subarray(0, length))) return length;
    }
    return 0;
  }
}
