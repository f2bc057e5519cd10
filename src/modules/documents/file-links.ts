import { equalInConstantTime, type Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import type { DocumentTables } from './document-tables.js';

/** Lifetime of a link to a document. */
const LINK_SECONDS = 3600;

/** The stored file to which a link leads. */
export interface LinkedFile {
  resultFile: string;
  filename: string;
  contentType: string;
  /** Size in bytes. */
  size: number;
}

/** Finds a stored file by its storage key. */
export type FileSource = (sql: Sql, resultFile: string) => Promise<LinkedFile | undefined>;

/** The expiry of a link that is valid as long as its file exists. */
const NEVER = 'never';

/** Signed links to stored files. A link gives access to its file without credentials until it expires. */
export class FileLinks {
  /** Tried in order. A module that stores its own files adds a source. */
  readonly sources: FileSource[] = [fileOfDocument];

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The path of a link that expires after one hour, relative to the base URL of the service. */
  pathTo(resultFile: string): string {
    const until = Math.floor(Date.now() / 1000) + LINK_SECONDS;
    return this.#path(until.toString(36), resultFile);
  }

  /** The path of a link without expiry, for files that are part of the results of a run. */
  lastingPathTo(resultFile: string): string {
    return this.#path(NEVER, resultFile);
  }

  #path(until: string, resultFile: string): string {
    return `/files/${this.#token(`${until}-${resultFile}`)}`;
  }

  /** The file of a link; null when the signature is invalid or the file does not exist. */
  async follow(token: string): Promise<LinkedFile | 'expired' | null> {
    const claim = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString();
    // The whole token is compared, because different Base64 texts can decode to the same bytes.
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
  return queryBuilder<DocumentTables>(sql)
    .selectFrom('document')
    .select(['result_file as resultFile', 'filename', 'content_type as contentType', 'size'])
    .where('result_file', '=', resultFile)
    .executeTakeFirst();
}
