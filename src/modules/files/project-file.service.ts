import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { StoredFileMissingError } from '../../providers/storage/storage.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Document } from '../documents/document.js';
import type { DocumentService } from '../documents/document.service.js';
import type { FileLinks, LinkedFile } from '../documents/file-links.js';
import type { ProjectStorage } from '../documents/project-storage.js';
import { receiveUpload, type UploadedFile } from '../documents/upload.scalar.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import { FILE_COLUMNS, type ProjectFile } from './project-file.type.js';
import type { ProjectFileStore } from './project-file-store.js';
import type { ProjectFileTables } from './project-file-tables.js';

interface Parts {
  store: ProjectFileStore;
  access: ProjectAccess;
  storage: ProjectStorage;
  documents: DocumentService;
}

/** Lists, uploads and deletes files. Every method authorizes the viewer. */
export class ProjectFileService {
  constructor(private readonly parts: Parts) {}

  /** The files of a project, newest first; with `runId` only those that the run used last. */
  async list(
    viewer: Viewer,
    projectId: number,
    runId: string | null | undefined,
    page: PageArgs,
  ): Promise<Page<ProjectFile>> {
    await this.parts.access.authorize(viewer, projectId, 'project.read');
    const rows = queryBuilder<ProjectFileTables>(this.parts.store.database)
      .selectFrom('project_file as f')
      .select(FILE_COLUMNS)
      .where('f.project_id', '=', projectId)
      .$if(runId != null, query => query.where('f.run_id', '=', runId!))
      .orderBy('f.created_at', 'desc')
      .orderBy('f.id', 'desc');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  get(viewer: Viewer, id: string): Promise<ProjectFile> {
    return this.#locate(viewer, id, 'project.read');
  }

  /** Stores an upload. A repeated call with the same `reservedId` returns the first file. */
  async upload(
    viewer: Viewer,
    projectId: number,
    upload: UploadedFile,
    reservedId: string | undefined,
  ): Promise<ProjectFile> {
    const { access, storage, store } = this.parts;
    await access.authorizeNamed(viewer, projectId, 'file.create');
    await storage.assertNotFull(projectId);
    const file = await receiveUpload(store.spool, upload);
    try {
      return await store.store({ id: reservedId ?? timeOrderedUuid(), projectId, runId: null }, file);
    } finally {
      await file.discard();
    }
  }

  /** Deletes the file and its content. Returns the deleted file. */
  async delete(viewer: Viewer, id: string): Promise<ProjectFile> {
    const { store } = this.parts;
    const file = await this.#locate(viewer, id, 'file.delete');
    await queryBuilder<ProjectFileTables>(store.database).deleteFrom('project_file').where('id', '=', id).execute();
    store.files.removeInBackground();
    return file;
  }

  /** Creates a document with a copy of the file. */
  async toDocument(viewer: Viewer, id: string, reservedId: string | undefined): Promise<Document> {
    const { store, documents } = this.parts;
    const file = await this.#locate(viewer, id, 'document.create');
    const content = await store.files.open(file.resultFile).catch((error: unknown) => {
      if (!(error instanceof StoredFileMissingError)) throw error;
      throw new ConflictError('The storage has no content for this file: upload it again.');
    });
    const copy = await store.spool.receive(content, file.name);
    try {
      const [document] = await documents.upload(viewer, file.projectId, [copy], reservedId);
      return document!;
    } finally {
      await copy.discard();
    }
  }

  /** @throws NotFoundError when the viewer cannot read the file, ForbiddenError when the role does not allow `action`. */
  async #locate(viewer: Viewer, id: string, action: Action): Promise<ProjectFile> {
    const row = await queryBuilder<ProjectFileTables>(this.parts.store.database)
      .selectFrom('project_file as f')
      .select(FILE_COLUMNS)
      .select(viewersRole(viewer, 'f.project_id').as('role'))
      .where('f.id', '=', id)
      .executeTakeFirst();
    assertAllowed(row?.role ?? null, action);
    if (!row) throw new NotFoundError();
    const { role: _, ...file } = row;
    return file;
  }
}

/** Lets links lead to files of projects. */
export function addProjectFileSource(links: FileLinks): void {
  links.sources.push(
    (sql, resultFile): Promise<LinkedFile | undefined> =>
      queryBuilder<ProjectFileTables>(sql)
        .selectFrom('project_file')
        .select(['result_file as resultFile', 'filename', 'content_type as contentType', 'size'])
        .where('result_file', '=', resultFile)
        .executeTakeFirst(),
  );
}
