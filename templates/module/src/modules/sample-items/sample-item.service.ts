import type { Database } from '../../platform/database/database.js';
import { queryBuilder, type Table } from '../../platform/database/typed-queries.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { SampleItemCreateInput } from './sample-item.inputs.js';
import { SampleItem } from './sample-item.js';

interface SampleItemTables {
  sample_item: Table<SampleItem>;
}

export class SampleItemService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The sample items of a project, newest first. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<SampleItem>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { limit, offset } = toLimitOffset(page);
    const [items, total] = await this.database.orm.em
      .fork()
      .findAndCount(SampleItem, { project: projectId }, { limit, offset, orderBy: { id: 'desc' } });
    return { ...page, total, items };
  }

  async create(viewer: Viewer, { projectId, name }: SampleItemCreateInput): Promise<SampleItem> {
    await this.access.authorizeNamed(viewer, projectId, 'sample-item.create');
    const faults = new Faults();
    faults.text('name', name, { min: 1, max: 255 });
    faults.throwIfAny();
    const id = await this.database.transaction(async sql => {
      const row = await queryBuilder<SampleItemTables>(sql)
        .insertInto('sample_item')
        .values({ project_id: projectId, name: name.trim() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const object = { type: 'sample-item', id: row.id };
      await recordAuditEvent(sql, viewer, { action: 'sample-item.create', object, projectId });
      return row.id;
    });
    return this.database.orm.em.fork().findOneOrFail(SampleItem, { id });
  }
}
