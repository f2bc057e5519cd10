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

/** Servers apply one coding, rarely two; each more is a chance to grow a small answer into a huge one. */
const maxCodings = 2;

export function codingsOf(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return [];
  return contentEncoding
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity');
}

/** Whether the body ends before its first byte: decoders take nothing for a coding that was cut off. */
export async function isEmpty(body: Readable): Promise<boolean> {
  const settled = new AbortController();
  const { signal } = settled;
  // A body that has ended already says "end" alone.
  await Promise.race(['readable', 'end'].map(event => once(body, event, { signal }))).finally(() => settled.abort());
  const first: unknown = body.read();
  if (first === null) return true;
  body.unshift(first);
  return false;
}

/**
 * The body decoded, ending in an error once more than `maxBytes` came in or go out: a small bomb does not grow here.
 * What its reader gets as an error has gone through `explain`.
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
  const stages = decoding.flatMap(decoder => [capped(maxBytes), decoder]);
  // The callback is called for success too; an error reaches the reader through the last stage.
  return pipeline([body, ...stages, capped(maxBytes, explain)], () => {}) as unknown as Readable;
}

function capped(maxBytes: number, explain = (error: Error) => error): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seen += chunk.length;
      if (seen <= maxBytes) callback(null, chunk);
      else callback(tooLarge(maxBytes));
    },
    destroy(error, callback) {
      callback(error && explain(error));
    },
  });
}

export function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('response_too_large', `The answer is larger than the allowed ${maxBytes} bytes.`);
}
