import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type DocumentNode, parse, print } from 'graphql';
import { ConfigError } from '../platform/config/config.js';
import { ForbiddenError } from '../platform/errors/errors.js';

const FILE_FORMAT = 'a JSON file of operations: texts by any name, or a persisted query manifest of Apollo';

/** The operations that the operator allows. All others are rejected. */
export class Safelist {
  /** Texts by the SHA-256 hash that clients of persisted queries send. */
  readonly texts: ReadonlyMap<string, string>;
  readonly #allowed: ReadonlySet<string>;

  constructor(texts: readonly string[]) {
    this.texts = new Map(texts.map(text => [createHash('sha256').update(text).digest('hex'), text]));
    this.#allowed = new Set(texts.map(text => print(parse(text))));
  }

  /** Reads the file. Throws a ConfigError if it is missing or malformed. */
  static async read(file: string): Promise<Safelist> {
    try {
      return new Safelist(textsIn(JSON.parse(await readFile(file, 'utf8'))));
    } catch (error) {
      const reason = (error as Error).message.split('\n')[0];
      throw new ConfigError([`GRAPHQL_SAFELIST: got ${JSON.stringify(file)} (${reason}), takes ${FILE_FORMAT}`]);
    }
  }

  /** Throws a ForbiddenError for an operation that is not listed. White space and comments are ignored. */
  check(document: DocumentNode): void {
    if (!this.#allowed.has(print(document))) throw new ForbiddenError('This operation is not on the safelist.');
  }
}

function textsIn(content: unknown): string[] {
  const { operations } = content as { operations?: unknown };
  const entries = Array.isArray(operations) ? operations.map(one => (one as { body?: unknown }).body) : content;
  const texts = Array.isArray(entries) ? entries : Object.values(entries as object);
  if (texts.length === 0) throw new Error('no operations');
  for (const text of texts) if (typeof text !== 'string') throw new Error('an operation is not a string');
  return texts;
}
