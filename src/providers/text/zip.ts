import { inflateRawSync } from 'node:zlib';
import { UnreadableError } from '../../engine/text/unreadable.js';

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_RATIO = 100;
/** Smaller contents are exempt from MAX_RATIO, because small archives can have a high compression ratio. */
const RATIO_EXEMPT_BYTES = 1024 * 1024;
/** Signatures of the ZIP format (APPNOTE.TXT): a local header, a directory entry, and the end of the directory. */
const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

/** Compression methods (APPNOTE.TXT, section 4.4.5). */
const STORED = 0;
const DEFLATED = 8;

/** Flag of an encrypted entry (APPNOTE.TXT, section 4.4.4). */
const ENCRYPTED = 1;

interface Entry {
  method: number;
  compressedSize: number;
  size: number;
  offset: number;
}

/** A ZIP archive. Only requested entries are unpacked, and never beyond their declared size (ADR 0042). */
export class Zip {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly bytes: Buffer) {
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof RangeError ? brokenZip() : error;
    }
    let size = 0;
    let compressedSize = 0;
    for (const entry of this.#entries.values()) {
      size += entry.size;
      compressedSize += entry.compressedSize;
    }
    if (size > MAX_BYTES) throw new UnreadableError('The file unpacks to more than 200 MB.');
    if (size > RATIO_EXEMPT_BYTES && size > MAX_RATIO * compressedSize)
      throw new UnreadableError(`The file unpacks to more than ${MAX_RATIO} times its size.`);
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Unpacks an entry; undefined if it does not exist. Throws an UnreadableError if the archive is damaged. */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    try {
      return this.#unpack(entry);
    } catch (error) {
      if (error instanceof UnreadableError) throw error;
      throw brokenZip();
    }
  }

  /** Reads the content after the local header (APPNOTE.TXT, section 4.3.7). */
  #unpack({ method, compressedSize, size, offset }: Entry): Buffer {
    if (this.bytes.readUInt32LE(offset) !== LOCAL) throw brokenZip();
    const start = offset + 30 + this.bytes.readUInt16LE(offset + 26) + this.bytes.readUInt16LE(offset + 28);
    const content = this.bytes.subarray(start, start + compressedSize);
    if (content.length !== compressedSize || (method !== STORED && method !== DEFLATED)) throw brokenZip();
    const unpacked = method === STORED ? content : inflateRawSync(content, { maxOutputLength: Math.max(1, size) });
    if (unpacked.length !== size) throw brokenZip();
    return unpacked;
  }

  /** Reads the entries of the central directory (APPNOTE.TXT, sections 4.3.12 and 4.3.16). */
  #readDirectory(): void {
    const { bytes } = this;
    const end = bytes.lastIndexOf(END);
    if (end < 0) throw brokenZip();
    const count = bytes.readUInt16LE(end + 10);
    if (count > MAX_ENTRIES) throw new UnreadableError('The file packs more than 10,000 entries.');
    let at = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index++) {
      if (bytes.readUInt32LE(at) !== ENTRY) throw brokenZip();
      if (bytes.readUInt16LE(at + 8) & ENCRYPTED) throw new UnreadableError('The file is protected by a password.');
      const nameLength = bytes.readUInt16LE(at + 28);
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
      this.#entries.set(name, {
        method: bytes.readUInt16LE(at + 10),
        compressedSize: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      });
      at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  }
}

function brokenZip(): UnreadableError {
  return new UnreadableError('The file is damaged: it cannot be unpacked.');
}
