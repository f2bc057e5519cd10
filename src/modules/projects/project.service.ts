import type { Database } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import type { Currencies, Money } from '../../platform/money/money.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess } from './access.js';
import { insertProject } from './insert-project.js';
import type { ProjectCreateInput, ProjectFilter, ProjectOrder, ProjectUpdateInput } from './project.inputs.js';
import { Project } from './project.js';
import { PROJECT_PAGES, READ_PROJECT } from './project-reads.js';
import type { ProjectTables } from './project-tables.js';

const MAX_STOPWORDS = 10_000;

/** Lists and changes projects. Every method with a viewer authorizes it. */
export class ProjectService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly currencies: Currencies,
  ) {}

  /** Lists the projects of the viewer. Administrators see all projects. */
  async list(
    viewer: Viewer,
    filter: ProjectFilter | null | undefined,
    order: ProjectOrder,
    page: PageArgs,
  ): Promise<Page<Project>> {
    const { limit, offset } = toLimitOffset(page);
    const faults = new Faults();
    faults.text('nameContains', filter?.nameContains, { max: 255 });
    faults.throwIfAny();
    const { userId, isAdmin } = viewer;
    const name = filter?.nameContains ? toContainsPattern(filter.nameContains) : null;
    const read = PROJECT_PAGES[order][name === null ? 'all' : 'named'];
    const { items, total } = await read(this.database, { userId, isAdmin, name, limit, offset });
    return { ...page, total, items: items as Project[] };
  }

  async get(viewer: Viewer, id: number): Promise<Project> {
    const [row] = await READ_PROJECT(this.database, { userId: viewer.userId, isAdmin: viewer.isAdmin, id });
    assertAllowed(row?.viewersRole ?? null, 'project.read');
    return row as Project;
  }

  /** Creates a project. The viewer becomes its owner. */
  async create(viewer: Viewer, input: ProjectCreateInput): Promise<Project> {
    assertValid(input);
    const project = {
      name: input.name.trim(),
      webhookUrl: input.webhookUrl ?? '',
      isWebhookEnabled: input.isWebhookEnabled ?? false,
    };
    const id = await this.database.transaction(sql => insertProject(sql, viewer.userId, project));
    return this.#load(id);
  }

  async update(viewer: Viewer, id: number, input: ProjectUpdateInput): Promise<Project> {
    await this.access.authorize(viewer, id, 'project.update');
    assertValid(input);
    const em = this.database.orm.em.fork();
    const project = await em.findOne(Project, { id });
    if (!project) throw new NotFoundError();
    if (input.name !== undefined) project.name = input.name.trim();
    if (input.webhookUrl !== undefined) project.webhookUrl = input.webhookUrl ?? '';
    if (input.isWebhookEnabled !== undefined) project.isWebhookEnabled = input.isWebhookEnabled ?? false;
    await em.flush();
    return project;
  }

  /** Deletes the project with all its contents and returns its last state. */
  async delete(viewer: Viewer, id: number): Promise<Project> {
    await this.access.authorize(viewer, id, 'project.delete');
    const project = await this.#load(id);
    await this.database.transaction(async sql => {
      const deleted = await queryBuilder<ProjectTables>(sql)
        .deleteFrom('project')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!deleted) throw new NotFoundError();
      const object = { type: 'project', id };
      await recordAuditEvent(sql, viewer, {
        action: 'project.delete',
        object,
        projectId: id,
        detail: { name: project.name },
      });
    });
    return project;
  }

  async setStopwords(viewer: Viewer, id: number, stopwords: string[]): Promise<Project> {
    await this.access.authorize(viewer, id, 'stopwords.update');
    const faults = new Faults();
    if (stopwords.length > MAX_STOPWORDS)
      faults.add('stopwords', `Ensure this list has no more than ${MAX_STOPWORDS} words.`);
    for (const word of stopwords.slice(0, MAX_STOPWORDS)) faults.text('stopwords', word, { max: 255 });
    faults.throwIfAny();
    const em = this.database.orm.em.fork();
    const project = await em.findOne(Project, { id });
    if (!project) throw new NotFoundError();
    project.stopwords = [...new Set(stopwords.map(word => word.trim().toLowerCase()).filter(Boolean))];
    await em.flush();
    return project;
  }

  totalSpent(project: Project): Money {
    return this.currencies.of(project.totalSpentUsd);
  }

  async #load(id: number): Promise<Project> {
    const project = await this.database.orm.em.fork().findOne(Project, { id });
    if (!project) throw new NotFoundError();
    return project;
  }
}

function assertValid(input: ProjectUpdateInput): void {
  const faults = new Faults();
  faults.text('name', input.name, { min: 1, max: 255 });
  faults.text('webhookUrl', input.webhookUrl, { max: 2048 });
  faults.httpUrl('webhookUrl', input.webhookUrl);
  faults.throwIfAny();
}
