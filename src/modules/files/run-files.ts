import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileStore, NewFile } from '../../engine/files/port.js';
import type { FileReference } from '../../engine/files/reference.js';
import { PortError } from '../../engine/ports.js';
import { derivedUuid } from '../../platform/crypto/uuid.js';
import type { Sql } from '../../platform/database/database.js';
import { anyUuid, expression, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { PayloadTooLargeError } from '../../platform/errors/errors.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import { StoredFileMissingError } from '../../providers/storage/storage.js';
import { receiveUpload, type UploadedFile } from '../documents/upload.scalar.js';
import type { ProjectFile } from './project-file.type.js';
import type { NewProjectFile, ProjectFileStore } from './project-file-store.js';
import type { ProjectFileTables } from './project-file-tables.js';

/** Limits of the files that one run keeps. */
const MAX_RUN_FILES = 1_000;
const MAX_RUN_BYTES = 1024 * 1024 * 1024;
/** Hours after which a file that no run has used is deleted. */
const UNUSED_HOURS = 24;

/** A file in the request of a caller. */
export interface ReceivedFile {
  name: string;
  bytes: Uint8Array;
}

/** A run whose nodes read and write files of its project. */
export interface FilesRun {
  projectId: number;
  id: string;
  /** Replaces the secrets of the run in a value by the mask. */
  mask<T>(value: T): T;
  /** Replaces the secrets of the run in a content. */
  maskBytes(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Reads files of projects for callers that keep none. */
export interface ProjectFileReader {
  readerOf(projectId: number): Pick<FileStore, 'read'>;
}

/** The files of runs: reads and writes of nodes, files in inputs, and the deletion of unused ones. */
export class RunFiles implements ProjectFileReader {
  constructor(private readonly store: ProjectFileStore) {}

  /** Implements the file port of the engine for one run. */
  of({ projectId, id: runId, mask, maskBytes }: FilesRun): FileStore {
    // All members of the project can read the file, and every caller with its link.
    const masked = async ({ name, bytes }: NewFile) => ({ name: mask(name), bytes: await maskBytes(bytes) });
    return {
      read: async (fileId, maxBytes) => {
        const file = await this.#find(projectId, fileId, maxBytes);
        if (file.runId !== runId) await this.keep(projectId, [fileId], runId);
        return { reference: toReference(file), bytes: await this.#content(file) };
      },
      write: async (file, key) => {
        const { name, bytes } = await masked(file);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        // With another content, for example of a repeated download, it is another file: contents never change.
        const id = derivedUuid(JSON.stringify([projectId, runId, key, name, sha256]));
        return this.#write({ id, projectId, runId }, { name, bytes });
      },
      findPaid: async key => {
        const paid = await this.store.findPaid(projectId, paidFileId(projectId, runId, key));
        return paid && { reference: toReference(paid.file), usage: paid.usage };
      },
      writePaid: async (file, paidUsage, key) =>
        this.#write({ id: paidFileId(projectId, runId, key), projectId, runId, paidUsage }, await masked(file)),
    };
  }

  async #write(identity: NewProjectFile & { runId: string }, { name, bytes }: NewFile): Promise<FileReference> {
    const existing = await this.store.find(identity.projectId, identity.id);
    if (existing) return toReference(existing);
    const file = await this.store
      .storeBytes(identity, name, bytes, sql => assertRunLimits(sql, identity.runId))
      .catch(toPortError);
    failpoint('run-file.written');
    return toReference(file);
  }

  /** Reads files of a project without keeping them. */
  readerOf(projectId: number): Pick<FileStore, 'read'> {
    return {
      read: async (fileId, maxBytes) => {
        const file = await this.#find(projectId, fileId, maxBytes);
        return { reference: toReference(file), bytes: await this.#content(file) };
      },
    };
  }

  async #find(projectId: number, fileId: string, maxBytes: number): Promise<ProjectFile> {
    const file = await this.store.find(projectId, fileId);
    if (!file) throw notFound(fileId);
    if (file.size > maxBytes)
      throw new PortError(
        'file_too_large',
        `${file.name} has ${file.size} bytes; at most ${maxBytes} are allowed here`,
      );
    return file;
  }

  /**
   * Stores a file that a caller has sent. A repeated call with the same key and content returns the existing file. Until a
   * run keeps it, it is deleted like an unused upload.
   * @throws PayloadTooLargeError when the storage quota of the project is exceeded
   */
  async receive(projectId: number, { name, bytes }: ReceivedFile, key: string): Promise<FileReference> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const id = receivedFileId(projectId, key, name, sha256);
    const existing = await this.store.find(projectId, id);
    return toReference(existing ?? (await this.store.storeBytes({ id, projectId, runId: null }, name, bytes)));
  }

  /** Receives an upload, which is not stored yet. The caller must discard it. */
  spool(upload: UploadedFile): Promise<SpooledFile> {
    return receiveUpload(this.store.spool, upload);
  }

  /** Stores an upload like `receive`. */
  async receiveSpooled(projectId: number, file: SpooledFile, key: string): Promise<FileReference> {
    const id = receivedFileId(projectId, key, file.filename, file.sha256);
    const existing = await this.store.find(projectId, id);
    return toReference(existing ?? (await this.store.store({ id, projectId, runId: null }, file)));
  }

  /** Returns the files of the project among `ids`, by id. */
  async references(projectId: number, ids: readonly string[]): Promise<Map<string, FileReference>> {
    const found = await Promise.all([...new Set(ids)].map(id => this.store.find(projectId, id)));
    return new Map(found.flatMap(file => (file ? [[file.id, toReference(file)] as const] : [])));
  }

  /** Keeps files with the results of a run. */
  async keep(
    projectId: number,
    fileIds: readonly string[],
    runId: string,
    sql: Sql = this.store.database,
  ): Promise<void> {
    await queryBuilder<ProjectFileTables>(sql)
      .updateTable('project_file')
      .set({ run_id: runId })
      .where('id', '=', anyUuid(fileIds))
      .where('project_id', '=', projectId)
      .execute();
  }

  /** Deletes received files that no run keeps. */
  async discard(projectId: number, fileIds: readonly string[]): Promise<void> {
    const discarded = await queryBuilder<ProjectFileTables>(this.store.database)
      .deleteFrom('project_file')
      .where('id', '=', anyUuid(fileIds))
      .where('project_id', '=', projectId)
      .where('run_id', 'is', null)
      .returning('id')
      .execute();
    if (discarded.length > 0) this.store.files.removeInBackground();
  }

  /** Deletes files by id and their contents. */
  async delete(ids: readonly string[]): Promise<void> {
    await queryBuilder<ProjectFileTables>(this.store.database)
      .deleteFrom('project_file')
      .where('id', '=', anyUuid(ids))
      .execute();
    this.store.files.removeInBackground();
  }

  /** Deletes uploads that no run has used. Safe to repeat and to run concurrently. */
  async deleteUnused(): Promise<void> {
    const deleted = await deleteInBatches(rows =>
      queryBuilder<ProjectFileTables>(this.store.database)
        .deleteFrom('project_file')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('project_file')
            .select('id')
            .where('run_id', 'is', null)
            .where('created_at', '<', expression<Date>`now() - make_interval(hours => ${UNUSED_HOURS})`)
            .limit(rows)
            .forUpdate()
            .skipLocked(),
        )
        .returning('id')
        .execute(),
    );
    if (deleted > 0) this.store.files.removeInBackground();
  }

  async #content(file: ProjectFile): Promise<Buffer> {
    try {
      return await buffer(await this.store.files.open(file.resultFile));
    } catch (error) {
      if (error instanceof StoredFileMissingError) throw notFound(file.id);
      throw error;
    }
  }
}

function notFound(id: string): PortError {
  return new PortError('file_not_found', `the project has no file with the id ${id}`);
}

function receivedFileId(projectId: number, key: string, name: string, sha256: string): string {
  return derivedUuid(JSON.stringify([projectId, null, key, name, sha256]));
}

/** Independent of the content, because a repeated call of a model creates another one. */
function paidFileId(projectId: number, runId: string, key: string): string {
  return derivedUuid(JSON.stringify([projectId, runId, key, 'paid']));
}

function toReference({ id, name, contentType, size, sha256 }: ProjectFile): FileReference {
  return { file_id: id, name, content_type: contentType, size, sha256 };
}

function toPortError(error: unknown): never {
  throw error instanceof PayloadTooLargeError ? new PortError('file_refused', error.message) : error;
}

/** Call after the row of a new file is inserted. */
async function assertRunLimits(sql: Sql, runId: string): Promise<void> {
  const { count, bytes } = await queryBuilder<ProjectFileTables>(sql)
    .selectFrom('project_file')
    .select([rowCount().as('count'), expression<number>`sum(size)::float8`.as('bytes')])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  if (count > MAX_RUN_FILES) throw new PortError('file_refused', `a run keeps at most ${MAX_RUN_FILES} files`);
  if (bytes > MAX_RUN_BYTES)
    throw new PortError('file_refused', `the files of a run have at most ${MAX_RUN_BYTES} bytes`);
}
