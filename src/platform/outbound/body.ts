import { once } from 'node:events';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { OutboundError } from './errors.js';

const decoders: Record<string, (() => Transform) | undefined> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Maximum content codings of a response. Servers apply one, rarely two, and each one can expand a small response
 * hugely.
 */
const maxCodings = 2;

/** Parses a `content-encoding` header into lower-case codings, without `identity`. */
export function codingsOf(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return [];
  return contentEncoding
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity');
}

/** Whether the body ends without a byte. Decoders treat an empty body as a truncated one. */
export async function isEmpty(body: Readable): Promise<boolean> {
  const listening = new AbortController();
  const { signal } = listening;
  // A body that has already ended emits only "end".
  await Promise.race(['readable', 'end'].map(event => once(body, event, { signal }))).finally(() => listening.abort());
  const first: unknown = body.read();
  if (first === null) return true;
  body.unshift(first);
  return false;
}

/**
 * Decodes a body. It ends with an error after more than `maxBytes` received or decoded bytes, which stops decompression
 * bombs. `explain` converts errors for the reader.
 */
export function decodedBody(
  body: Readable,
  codings: string[],
  maxBytes: number,
  explain: (error: Error) => Error,
): Readable {
  const unknown = codings.find(coding => !decoders[coding]);
  if (unknown !== undefined || codings.length > maxCodings) {
    const message = `The answer's content encoding is not supported. Supported: ${Object.keys(decoders).join(', ')}.`;
    body.on('error', () => {}).destroy();
    throw new OutboundError('bad_response', message);
  }
  const decoding = codings.toReversed().flatMap(coding => decoders[coding]?.() ?? []);
  const stages = decoding.flatMap(decoder => [limitBytes(maxBytes), decoder]);
  // The callback is also called on success. Errors reach the reader through the last stage.
  return pipeline([body, ...stages, limitBytes(maxBytes, explain)], () => {}) as unknown as Readable;
}

function limitBytes(maxBytes: number, explain = (error: Error) => error): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      total += chunk.length;
      if (total <= maxBytes) callback(null, chunk);
      else callback(tooLarge(maxBytes));
    },
    destroy(error, callback) {
      callback(error && explain(error));
    },
  });
}

/** Returns the error for a response of more than `maxBytes` bytes. */
export function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('response_too_large', `The answer is larger than the allowed ${maxBytes} bytes.`);
}
