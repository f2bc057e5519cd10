import { Readable } from 'node:stream';
import type { Usage } from '../../engine/ports.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Spool } from '../../providers/storage/spool.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import type { DocumentFiles } from '../documents/document-files.js';
import type { ProjectStorage } from '../documents/project-storage.js';
import { FILE_COLUMNS, type ProjectFile } from './project-file.type.js';
import type { ProjectFileTables } from './project-file-tables.js';

/** The identity of a new file. */
export interface NewProjectFile {
  id: string;
  projectId: number;
  runId: string | null;
  /** Usage of the paid call that created the file. */
  paidUsage?: Usage;
}

/** Rows and contents of files. Contents never change. It checks no rights. */
export class ProjectFileStore {
  constructor(
    readonly database: Database,
    readonly files: DocumentFiles,
    private readonly storage: ProjectStorage,
    readonly spool: Spool,
  ) {}

  /** Returns a file by its id, only if it is in the project. */
  async find(projectId: number, id: string): Promise<ProjectFile | undefined> {
    return queryBuilder<ProjectFileTables>(this.database)
      .selectFrom('project_file as f')
      .select(FILE_COLUMNS)
      .where('f.id', '=', id)
      .where('f.project_id', '=', projectId)
      .executeTakeFirst();
  }

  /** Returns a file that a paid call created, with the usage of the call. Other files are not returned. */
  async findPaid(projectId: number, id: string): Promise<{ file: ProjectFile; usage: Usage } | undefined> {
    const row = await queryBuilder<ProjectFileTables>(this.database)
      .selectFrom('project_file as f')
      .select(FILE_COLUMNS)
      .select(expression<Usage | null>`f.paid_usage`.as('usage'))
      .where('f.id', '=', id)
      .where('f.project_id', '=', projectId)
      .executeTakeFirst();
    if (!row?.usage) return undefined;
    const { usage, ...file } = row;
    return { file, usage };
  }

  /** Stores bytes like an upload. @throws PayloadTooLargeError when a limit is exceeded. */
  async storeBytes(identity: NewProjectFile, name: string, bytes: Uint8Array, check?: Check): Promise<ProjectFile> {
    const file = await this.spool.receive(Readable.from([bytes], { objectMode: false }), name);
    try {
      return await this.store(identity, file, check);
    } finally {
      await file.discard();
    }
  }

  /**
   * Stores a received file. If the id exists, the existing file is returned. `check` runs in the transaction, after the
   * row is inserted.
   * @throws PayloadTooLargeError when the storage quota of the project is exceeded
   */
  async store(
    { id, projectId, runId, paidUsage }: NewProjectFile,
    file: SpooledFile,
    check?: Check,
  ): Promise<ProjectFile> {
    try {
      return await this.files.store([file], async (sql, [resultFile]) => {
        const { filename, contentType, size, sha256 } = file;
        await queryBuilder<ProjectFileTables>(sql)
          .insertInto('project_file')
          .values({
            ...{ id, project_id: projectId, run_id: runId, result_file: resultFile!, filename, size },
            ...{ content_type: contentType, sha256: Buffer.from(sha256, 'hex') },
            paid_usage: paidUsage ? JSON.stringify(paidUsage) : null,
          })
          .execute();
        await this.storage.assertWithinLimit(sql, projectId, size);
        await check?.(sql);
        return (await rowOf(sql, id))!;
      });
    } catch (error) {
      if ((error as { constraint?: unknown }).constraint !== 'project_file_pkey') throw error;
      const existing = await rowOf(this.database, id);
      if (!existing) throw error;
      return existing;
    }
  }
}

/** Throws to refuse a new file. */
type Check = (sql: Sql) => Promise<void>;

function rowOf(sql: Sql, id: string): Promise<ProjectFile | undefined> {
  return queryBuilder<ProjectFileTables>(sql)
    .selectFrom('project_file as f')
    .select(FILE_COLUMNS)
    .where('f.id', '=', id)
    .executeTakeFirst();
}
