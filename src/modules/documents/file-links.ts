import { equalInConstantTime, type Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import type { DocumentTables } from './document-tables.js';

/** How long a link to a document works. */
const LINK_SECONDS = 3600;

export interface LinkedFile {
  resultFile: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

/** Finds a stored file by its key. */
export type FileSource = (sql: Sql, resultFile: string) => Promise<LinkedFile | undefined>;

/** The expiry of a link that works for as long as its file is there. */
const NEVER = 'never';

/** Links to stored files: whoever has one may fetch the file until it expires, without a key. */
export class FileLinks {
  /** Where files are looked up, one after the other. A module that stores files of its own adds a source. */
  readonly sources: FileSource[] = [fileOfDocument];

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The path of a link, below the address of the service. */
  pathTo(resultFile: string): string {
    const until = Math.floor(Date.now() / 1000) + LINK_SECONDS;
    return this.#path(until.toString(36), resultFile);
  }

  /** The path of a link that does not expire, for what becomes part of a run's results. */
  lastingPathTo(resultFile: string): string {
    return this.#path(NEVER, resultFile);
  }

  #path(until: string, resultFile: string): string {
    return `/files/${this.#token(`${until}-${resultFile}`)}`;
  }

  /** The file that a link is for; null for one that we did not sign and for a file that is gone. */
  async follow(token: string): Promise<LinkedFile | 'expired' | null> {
    const claim = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString();
    // Whole and as it was given out: base64 can be written in many ways that mean the same.
    if (!equalInConstantTime(Buffer.from(token), Buffer.from(this.#token(claim)))) return null;
    const at = claim.indexOf('-');
    const until = claim.slice(0, at);
    if (until !== NEVER && Number.parseInt(until, 36) * 1000 < Date.now()) return 'expired';
    for (const find of this.sources) {
      const file = await find(this.database, claim.slice(at + 1));
      if (file) return file;
    }
    return null;
  }

  #token(claim: string): string {
    return `${Buffer.from(claim).toString('base64url')}.${this.#signature(claim).toString('base64url')}`;
  }

  #signature(claim: string): Buffer {
    return this.vault.digest(`file-link:${claim}`);
  }
}

function fileOfDocument(sql: Sql, resultFile: string): Promise<LinkedFile | undefined> {
  return queries<DocumentTables>(sql)
    .selectFrom('document')
    .select(['result_file as resultFile', 'filename', 'content_type as contentType', 'size'])
    .where('result_file', '=', resultFile)
    .executeTakeFirst();
}
