const HEADER_LENGTH = 5;
const ERROR = 'E'.charCodeAt(0);
const NOTICE = 'N'.charCodeAt(0);
const DATA_ROW = 'D'.charCodeAt(0);

/**
 * Splits the bytes of a PostgreSQL server into messages and checks their lengths. The parser of the driver trusts them:
 * it would read a row without end, or past the end of an error without limit. Source: "Message Formats" in the documentation
 * of PostgreSQL.
 */
export class PostgresMessages {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = HEADER_LENGTH;

  /** Adds received bytes, and returns those of the messages that are now complete. Throws an Error for a malformed one. */
  add(chunk: Buffer): Buffer {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return Buffer.alloc(0);
    const received = Buffer.concat(this.#chunks);
    let end = 0;
    for (;;) {
      const next = endOfMessage(received, end);
      this.#needed = (next ?? end + HEADER_LENGTH) - end;
      if (next === undefined || next > received.length) break;
      checkBody(received[end], received.subarray(end + HEADER_LENGTH, next));
      end = next;
    }
    this.#chunks = [received.subarray(end)];
    this.#bytes = received.length - end;
    return received.subarray(0, end);
  }
}

/** Returns undefined if the length is not received yet. */
function endOfMessage(received: Buffer, start: number): number | undefined {
  if (start + HEADER_LENGTH > received.length) return undefined;
  const length = received.readUInt32BE(start + 1);
  if (length < HEADER_LENGTH - 1) throw new Error('a message has a wrong length');
  return start + 1 + length;
}

function checkBody(type: number | undefined, body: Buffer): void {
  if (type === DATA_ROW) checkRow(body);
  // The last field ends with one NUL, and the list of fields with another one.
  else if ((type === ERROR || type === NOTICE) && !(body.length === 1 ? body : body.subarray(-2)).every(isNul))
    throw new Error('an error has no end');
}

function isNul(byte: number): boolean {
  return byte === 0;
}

function checkRow(body: Buffer): void {
  let left = body.readInt16BE(0);
  let at = 2;
  for (; left > 0; left--) {
    const length = body.readInt32BE(at);
    if (length < -1) throw new Error('a value has a wrong length');
    at += 4 + Math.max(0, length);
  }
  if (left < 0 || at !== body.length) throw new Error('a row has a wrong length');
}
