import DataLoader from 'dataloader';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import { PayloadTooLargeError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { RequestContext } from '../accounts/request-context.js';
import { assertAdministrator } from '../accounts/users/user.service.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { DocumentTables } from './document-tables.js';
import type { ProjectStorageUse } from './project-storage.type.js';

const MIB = 1024 * 1024;
const MAX_LIMIT_MB = 1_000_000_000;

interface StorageRow {
  usedBytes: number;
  /** Null: the default limit applies. */
  limitBytes: number | null;
}

/** Limits the total size of the stored files of each project. Database triggers maintain the current size. */
export class ProjectStorage {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    /** Default limit of a project in bytes; 0: unlimited. */
    private readonly defaultBytes: number,
  ) {}

  /** Sets the limit of a project in MiB. 0: unlimited; null: the default. Requires an administrator. */
  async setLimit(viewer: Viewer, projectId: number, limitMb: number | null): Promise<number> {
    assertAdministrator(viewer);
    await this.access.authorize(viewer, projectId, 'project.read');
    const faults = new Faults();
    faults.integer('limitMb', limitMb, { min: 0, max: MAX_LIMIT_MB });
    faults.throwIfAny();
    await this.database.transaction(async sql => {
      const limit_bytes = limitMb === null ? null : limitMb * MIB;
      await queryBuilder<DocumentTables>(sql)
        .insertInto('project_storage')
        .values({ project_id: projectId, limit_bytes })
        .onConflict(conflict => conflict.column('project_id').doUpdateSet({ limit_bytes }))
        .execute();
      const object = { type: 'project', id: projectId };
      await recordAuditEvent(sql, viewer, {
        action: 'project.set-storage-limit',
        object,
        projectId,
        detail: { limitMb },
      });
    });
    return projectId;
  }

  /** Storage use of a project. A data loader reads that of a whole page in one query. */
  of(context: RequestContext, projectId: number): Promise<ProjectStorageUse> {
    const load = async (ids: readonly number[]) => (await this.#read(this.database, ids)).map(row => this.#toUse(row));
    return context.loader<number, ProjectStorageUse>('project.storage', () => new DataLoader(load)).load(projectId);
  }

  /** Call before receiving a file. @throws PayloadTooLargeError when the limit is already reached. */
  async assertNotFull(projectId: number): Promise<void> {
    const [row] = await this.#read(this.database, [projectId]);
    const { usedBytes, limitBytes } = this.#toUse(row!);
    if (limitBytes !== null && usedBytes >= limitBytes) throw quotaExceeded(usedBytes, limitBytes, null);
  }

  /**
   * Call in the transaction that added `bytes`, after the addition. The addition locks the counter, so concurrent uploads
   * cannot exceed the limit together.
   * @throws PayloadTooLargeError when the limit is exceeded.
   */
  async assertWithinLimit(sql: Sql, projectId: number, bytes: number): Promise<void> {
    const [row] = await this.#read(sql, [projectId]);
    const { usedBytes, limitBytes } = this.#toUse(row!);
    if (limitBytes !== null && usedBytes > limitBytes) throw quotaExceeded(usedBytes - bytes, limitBytes, bytes);
  }

  /** Returns the use in the order of `ids`. A project without files and without its own limit has no row. */
  async #read(sql: Sql, ids: readonly number[]): Promise<StorageRow[]> {
    const rows = await queryBuilder<DocumentTables>(sql)
      .selectFrom('project_storage')
      .select(['project_id as projectId', 'used_bytes as usedBytes', 'limit_bytes as limitBytes'])
      .where('project_id', '=', anyInt(ids))
      .execute();
    const byProject = new Map(rows.map(row => [row.projectId, row]));
    return ids.map(id => byProject.get(id) ?? { usedBytes: 0, limitBytes: null });
  }

  #toUse({ usedBytes, limitBytes }: StorageRow): ProjectStorageUse {
    return { usedBytes, limitBytes: (limitBytes ?? this.defaultBytes) || null };
  }
}

function quotaExceeded(used: number, limit: number, needed: number | null): PayloadTooLargeError {
  const need = needed === null ? '' : ` and ${needed} more are needed`;
  return new PayloadTooLargeError(
    `The storage quota of the project is exceeded: ${used} of ${limit} bytes are used${need}. Delete documents or runs with images, or ask an administrator for a larger quota.`,
  );
}
