import type { Database, Sql } from '../../platform/database/database.js';
import { InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { containing, type Page, type PageArgs, window } from '../../platform/lists/page.js';
import { timeConditions } from '../../platform/lists/time-filter.input.js';
import { cleanFilename } from '../../providers/storage/filename.js';
import type { Spool } from '../../providers/storage/spool.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import type { Viewer } from '../accounts/viewer.js';
import { type ProjectAccess, visibleSql } from '../projects/access.js';
import type { DocumentFilter, DocumentOrder, DocumentUpdateInput } from './document.inputs.js';
import { DOCUMENT_COLUMNS, type Document } from './document.js';
import type { DocumentFiles } from './document-files.js';
import { locateDocument } from './locate-document.js';
import type { ProjectStorage } from './project-storage.js';
import { arrived, type UploadedFile } from './upload.scalar.js';

/** Files of one upload. */
const MAX_FILES = 5;

const UPLOADED = `insert into document_upload (id, place, document_id)
  select $1, place, document_id from unnest($2::int[]) with ordinality as made(document_id, place)`;
const OF_UPLOAD = `select ${DOCUMENT_COLUMNS} from document d join document_upload u on u.document_id = d.id
  where u.id = $1 order by u.place`;

export interface DocumentParts {
  database: Database;
  access: ProjectAccess;
  files: DocumentFiles;
  spool: Spool;
  storage: ProjectStorage;
}

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
    const { limit, offset } = window(page);
    const { project = null, filenameContains, contentType } = filter ?? {};
    const faults = new Faults();
    faults.text('filenameContains', filenameContains, { max: 255 });
    faults.text('contentType', contentType, { max: 255 });
    faults.throwIfAny();
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    const named = filenameContains ? containing(filenameContains) : null;
    const values: unknown[] = [viewer.userId, viewer.isAdmin, project, named];
    const conditions = [
      `${visibleSql('d.project_id', '$1', '$2')} and ($3::int is null or d.project_id = $3)`,
      '($4::text is null or d.filename ilike $4)',
      ...timeConditions(filter ?? {}, 'd.created_at', values),
    ];
    if (contentType?.endsWith('/')) conditions.push(`starts_with(d.content_type, $${values.push(contentType)})`);
    else if (contentType) conditions.push(`d.content_type = $${values.push(contentType)}`);
    const where = conditions.join(' and ');
    const [items, [count]] = await Promise.all([
      this.database.query<Document>(
        `select ${DOCUMENT_COLUMNS} from document d where ${where}
          order by ${order} limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from document d where ${where}`, values),
    ]);
    return { ...page, total: count!.total, items };
  }

  get(viewer: Viewer, id: number): Promise<Document> {
    return locateDocument(this.database, viewer, id, 'project.read');
  }

  /** Takes in all of the files or none of them; the documents come in their order. */
  async upload(
    viewer: Viewer,
    projectId: number,
    uploads: readonly UploadedFile[],
    reservedId: string | undefined,
  ): Promise<Document[]> {
    return this.#received(
      uploads,
      async () => {
        await this.access.authorizeNamed(viewer, projectId, 'document.create');
        if (uploads.length < 1 || uploads.length > MAX_FILES)
          throw new InvalidInputError({
            files: [`Send 1-${MAX_FILES} files; by REST in the parts file1 to file${MAX_FILES}.`],
          });
        await this.storage.demandSome(projectId);
      },
      files =>
        this.#once(reservedId, () =>
          this.files.store(files, async (sql, keys) => {
            const documents: Document[] = [];
            for (const [index, file] of files.entries())
              documents.push(await insert(sql, { viewer, projectId, file, resultFile: keys[index]! }));
            await this.storage.demandRoom(sql, projectId, sizeOf(files));
            if (reservedId !== undefined) await sql.query(UPLOADED, [reservedId, documents.map(({ id }) => id)]);
            return documents;
          }),
        ),
    );
  }

  async update(viewer: Viewer, id: number, input: DocumentUpdateInput): Promise<Document> {
    let before: Document;
    return this.#received(
      input.file ? [input.file] : [],
      async () => {
        before = await locateDocument(this.database, viewer, id, 'document.update');
        check(input);
      },
      async ([file]) => {
        if (!file) return change(this.database, id, input, null);
        const document = await this.files.store([file], async (sql, [key]) => {
          const growth = file.size - before.size;
          const changed = await change(sql, id, input, { ...file, resultFile: key! });
          if (growth > 0) await this.storage.demandRoom(sql, changed.projectId, growth);
          return changed;
        });
        this.files.removeSoon();
        return document;
      },
    );
  }

  /** Deletes the document with its recognition runs and its file; answers what it was. */
  async delete(viewer: Viewer, id: number): Promise<Document> {
    const document = await locateDocument(this.database, viewer, id, 'document.delete');
    await this.database.query('delete from document where id = $1', [id]);
    this.files.removeSoon();
    return document;
  }

  /** What `upload` makes, or, when another try of the same upload was first, what that one made. */
  async #once(id: string | undefined, upload: () => Promise<Document[]>): Promise<Document[]> {
    try {
      return await upload();
    } catch (error) {
      if (id === undefined || (error as { constraint?: unknown }).constraint !== 'document_upload_pkey') throw error;
      return this.database.query<Document>(OF_UPLOAD, [id]);
    }
  }

  /** Decides before a byte is read, has the files arrive, and discards what `take` has not taken. */
  async #received<T>(
    uploads: readonly UploadedFile[],
    decide: () => Promise<void>,
    take: (files: SpooledFile[]) => Promise<T>,
  ): Promise<T> {
    const files: SpooledFile[] = [];
    try {
      await decide();
      for (const upload of uploads) files.push(await arrived(this.spool, upload));
      return await take(files);
    } finally {
      await Promise.all(files.map(file => file.discard()));
    }
  }
}

function check(input: DocumentUpdateInput): void {
  const faults = new Faults();
  if (input.key === null) faults.add('key', 'This field may not be null.');
  faults.text('key', input.key, { max: 255 });
  faults.text('filename', input.filename, { min: 1, max: 255 });
  if (input.file === null) faults.add('file', 'This field may not be null.');
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

async function insert(sql: Sql, { viewer, projectId, file, resultFile }: NewDocument): Promise<Document> {
  const { filename, contentType, size, sha256 } = file;
  const [row] = await sql.query<Document>(
    `insert into document as d (project_id, created_by_id, key, filename, result_file, content_type, size, sha256)
     values ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex')) returning ${DOCUMENT_COLUMNS}`,
    [projectId, viewer.userId, stemOf(filename), filename, resultFile, contentType, size, sha256],
  );
  return row!;
}

/** Somebody may have deleted the document while its new file came in. */
async function change(
  sql: Sql,
  id: number,
  { key, filename }: DocumentUpdateInput,
  file: (Pick<SpooledFile, 'filename' | 'contentType' | 'size' | 'sha256'> & { resultFile: string }) | null,
): Promise<Document> {
  const [row] = await sql.query<Document>(
    `update document d
        set key = coalesce($2, key), filename = coalesce($3, $4, filename), result_file = coalesce($5, result_file),
            content_type = coalesce($6, content_type), size = coalesce($7, size),
            sha256 = coalesce(decode($8, 'hex'), sha256), updated_at = now()
      where id = $1 returning ${DOCUMENT_COLUMNS}`,
    [
      id,
      key ?? null,
      filename == null ? null : cleanFilename(filename),
      file?.filename ?? null,
      file?.resultFile ?? null,
      file?.contentType ?? null,
      file?.size ?? null,
      file?.sha256 ?? null,
    ],
  );
  if (!row) throw new NotFoundError();
  return row;
}

function stemOf(filename: string): string {
  return filename.replace(/(?<=.)\.[^.]{1,16}$/s, '');
}
