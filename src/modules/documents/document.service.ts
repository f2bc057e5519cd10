import type { Database, Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import { cleanFilename } from '../../providers/storage/filename.js';
import type { Spool } from '../../providers/storage/spool.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { DocumentFilter, DocumentOrder, DocumentUpdateInput } from './document.inputs.js';
import { DOCUMENT_COLUMNS, type Document } from './document.js';
import type { DocumentFiles } from './document-files.js';
import { DOCUMENT_PAGES, filterDocuments, visibleDocuments } from './document-reads.js';
import type { DocumentTables } from './document-tables.js';
import { locateDocument } from './locate-document.js';
import type { ProjectStorage } from './project-storage.js';
import { receiveUpload, type UploadedFile } from './upload.scalar.js';

/** Maximum number of files per upload. */
const MAX_FILES = 5;

export interface DocumentParts {
  database: Database;
  access: ProjectAccess;
  files: DocumentFiles;
  spool: Spool;
  storage: ProjectStorage;
}

/** Lists, uploads, updates and deletes documents. Every method authorizes the viewer. */
export class DocumentService {
  private readonly database: Database;
  private readonly access: ProjectAccess;
  private readonly files: DocumentFiles;
  private readonly spool: Spool;
  private readonly storage: ProjectStorage;

  constructor(parts: DocumentParts) {
    ({
      database: this.database,
      access: this.access,
      files: this.files,
      spool: this.spool,
      storage: this.storage,
    } = parts);
  }

  /** The documents of the viewer's projects. */
  async list(
    viewer: Viewer,
    filter: DocumentFilter | null | undefined,
    order: DocumentOrder,
    page: PageArgs,
  ): Promise<Page<Document>> {
    const { limit, offset } = toLimitOffset(page);
    const { filenameContains, contentType, minSize, maxSize } = filter ?? {};
    const faults = new Faults();
    faults.text('filenameContains', filenameContains, { max: 255 });
    faults.text('contentType', contentType, { max: 255 });
    faults.integer('minSize', minSize, { min: 0, max: MAX_INTEGER });
    faults.integer('maxSize', maxSize, { min: 0, max: MAX_INTEGER });
    faults.throwIfAny();
    if (!Object.values(filter ?? {}).some(value => value != null)) {
      const read = DOCUMENT_PAGES[order][viewer.isAdmin ? 'ofAdmin' : 'ofMember'];
      return { ...page, ...(await read(this.database, { userId: viewer.userId, limit, offset })) };
    }
    const documents = filterDocuments(
      visibleDocuments(queryBuilder<DocumentTables>(this.database), viewer, order),
      filter ?? {},
    );
    return { ...page, ...(await readWindow(documents, { limit, offset })) };
  }

  get(viewer: Viewer, id: number): Promise<Document> {
    return locateDocument(this.database, viewer, id, 'project.read');
  }

  /**
   * Stores all files or none and returns one document per file, in the same order. `reservedId` identifies the upload for its
   * idempotency key: a repetition returns the documents of the first upload.
   */
  async upload(
    viewer: Viewer,
    projectId: number,
    uploads: readonly UploadedFile[],
    reservedId: string | undefined,
  ): Promise<Document[]> {
    return this.#withReceivedFiles(
      uploads,
      async () => {
        await this.access.authorizeNamed(viewer, projectId, 'document.create');
        if (uploads.length < 1 || uploads.length > MAX_FILES)
          throw new InvalidInputError({
            files: [`Send 1-${MAX_FILES} files; by REST in the parts file1 to file${MAX_FILES}.`],
          });
        await this.storage.assertNotFull(projectId);
      },
      files =>
        this.#once(reservedId, () =>
          this.files.store(files, async (sql, keys) => {
            const documents: Document[] = [];
            for (const [index, file] of files.entries())
              documents.push(await insert(sql, { viewer, projectId, file, resultFile: keys[index]! }));
            await this.storage.assertWithinLimit(sql, projectId, sizeOf(files));
            if (reservedId !== undefined) await recordUpload(sql, reservedId, documents);
            return documents;
          }),
        ),
    );
  }

  async update(viewer: Viewer, id: number, input: DocumentUpdateInput): Promise<Document> {
    let before: Document;
    return this.#withReceivedFiles(
      input.file ? [input.file] : [],
      async () => {
        before = await locateDocument(this.database, viewer, id, 'document.update');
        checkUpdate(input);
      },
      async ([file]) => {
        if (!file) return updateRow(this.database, id, input, null);
        const document = await this.files.store([file], async (sql, [key]) => {
          const growth = file.size - before.size;
          const changed = await updateRow(sql, id, input, { file, resultFile: key! });
          if (growth > 0) await this.storage.assertWithinLimit(sql, changed.projectId, growth);
          return changed;
        });
        this.files.removeInBackground();
        return document;
      },
    );
  }

  /**
   * Deletes the document, its recognition runs and its file. Returns the deleted document.
   * @throws NotFoundError when another caller has deleted it meanwhile.
   */
  async delete(viewer: Viewer, id: number): Promise<Document> {
    const document = await locateDocument(this.database, viewer, id, 'document.delete');
    const row = await queryBuilder<DocumentTables>(this.database)
      .deleteFrom('document')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    this.files.removeInBackground();
    return document;
  }

  /** Returns the result of `upload`, or the documents of an earlier upload with the same id. */
  async #once(id: string | undefined, upload: () => Promise<Document[]>): Promise<Document[]> {
    try {
      return await upload();
    } catch (error) {
      if (id === undefined || (error as { constraint?: unknown }).constraint !== 'document_upload_pkey') throw error;
      return documentsOfUpload(this.database, id);
    }
  }

  /** Calls `authorize` before a byte is read, receives the files, calls `take`, and discards the temporary files. */
  async #withReceivedFiles<T>(
    uploads: readonly UploadedFile[],
    authorize: () => Promise<void>,
    take: (files: SpooledFile[]) => Promise<T>,
  ): Promise<T> {
    const files: SpooledFile[] = [];
    try {
      await authorize();
      for (const upload of uploads) files.push(await receiveUpload(this.spool, upload));
      return await take(files);
    } finally {
      await Promise.all(files.map(file => file.discard()));
    }
  }
}

function checkUpdate(input: DocumentUpdateInput): void {
  const faults = new Faults();
  if (input.key === null) faults.add('key', NOT_NULL);
  faults.text('key', input.key, { max: 255 });
  faults.text('filename', input.filename, { min: 1, max: 255 });
  if (input.file === null) faults.add('file', NOT_NULL);
  faults.throwIfAny();
}

function sizeOf(files: readonly SpooledFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

interface NewDocument {
  viewer: Viewer;
  projectId: number;
  file: SpooledFile;
  resultFile: string;
}

function insert(sql: Sql, { viewer, projectId, file, resultFile }: NewDocument): Promise<Document> {
  return queryBuilder<DocumentTables>(sql)
    .insertInto('document')
    .values({
      project_id: projectId,
      created_by_id: viewer.userId,
      key: stemOf(file.filename),
      filename: file.filename,
      ...columnsOf(file, resultFile),
    })
    .returning(DOCUMENT_COLUMNS)
    .executeTakeFirstOrThrow();
}

function columnsOf({ contentType, size, sha256 }: SpooledFile, resultFile: string) {
  return { result_file: resultFile, content_type: contentType, size, sha256: Buffer.from(sha256, 'hex') };
}

/** @throws NotFoundError when the document was deleted while its new file was being received. */
async function updateRow(
  sql: Sql,
  id: number,
  { key, filename }: DocumentUpdateInput,
  stored: { file: SpooledFile; resultFile: string } | null,
): Promise<Document> {
  const newName = filename == null ? stored?.file.filename : cleanFilename(filename);
  const row = await queryBuilder<DocumentTables>(sql)
    .updateTable('document')
    .set({
      updated_at: NOW,
      ...(key != null && { key }),
      ...(newName !== undefined && { filename: newName }),
      ...(stored && columnsOf(stored.file, stored.resultFile)),
    })
    .where('id', '=', id)
    .returning(DOCUMENT_COLUMNS)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

/** Records the documents of an upload. The primary key makes a second upload with the same id fail. */
async function recordUpload(sql: Sql, uploadId: string, documents: readonly Document[]): Promise<void> {
  await queryBuilder<DocumentTables>(sql)
    .insertInto('document_upload')
    .values(documents.map(({ id }, index) => ({ id: uploadId, place: index + 1, document_id: id })))
    .execute();
}

function documentsOfUpload(sql: Sql, uploadId: string): Promise<Document[]> {
  return queryBuilder<DocumentTables>(sql)
    .selectFrom('document')
    .innerJoin('document_upload', 'document_upload.document_id', 'document.id')
    .select(DOCUMENT_COLUMNS)
    .where('document_upload.id', '=', uploadId)
    .orderBy('document_upload.place')
    .execute();
}

function stemOf(filename: string): string {
  return filename.replace(/(?<=.)\.[^.]{1,16}$/s, '');
}
