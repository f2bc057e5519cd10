import type { Database } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { containing, type Page, type PageArgs, window } from '../../platform/lists/page.js';
import type { Currencies, Money } from '../../platform/money/money.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, type ProjectAccess, roleSql, visibleSql } from './access.js';
import { insertProject } from './insert-project.js';
import {
  type ProjectCreateInput,
  type ProjectFilter,
  ProjectOrder,
  type ProjectUpdateInput,
} from './project.inputs.js';
import { Project } from './project.js';
import type { ProjectTables } from './project-tables.js';

const MAX_STOPWORDS = 10_000;

// Read without the ORM, which would take longer than the statement; stopwords are read when they are asked for.
const COLUMNS = `p.id, p.name, p.webhook_url as "webhookUrl", p.is_webhook_enabled as "isWebhookEnabled",
  p.total_spent_usd as "totalSpentUsd", p.total_earned_usd as "totalEarnedUsd", p.budget_usd as "budgetUsd",
  p.service_limit_usd as "serviceLimitUsd", p.service_spent_usd as "serviceSpentUsd", p.service_reserved_usd as "serviceReservedUsd",
  p.reserved_usd as "reservedUsd", p.created_at as "createdAt", p.updated_at as "updatedAt",
  exists (select 1 from provider_key k where k.project_id = p.id) as "hasProviderKeys"`;
const VISIBLE = visibleSql('p.id', '$2', '$1');
const NAMED = `${VISIBLE} and p.name ilike $3`;
const ORDERS: Record<ProjectOrder, string> = {
  [ProjectOrder.CREATED_AT_ASC]: 'p.created_at, p.id',
  [ProjectOrder.CREATED_AT_DESC]: 'p.created_at desc, p.id desc',
  [ProjectOrder.NAME_ASC]: 'p.name, p.id',
  [ProjectOrder.NAME_DESC]: 'p.name desc, p.id desc',
};
const ROLE = `${roleSql('p.id', '$2', '$1')} as "viewersRole"`;

export class ProjectService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly currencies: Currencies,
  ) {}

  /** The viewer's projects. */
  async list(
    viewer: Viewer,
    filter: ProjectFilter | null | undefined,
    order: ProjectOrder,
    page: PageArgs,
  ): Promise<Page<Project>> {
    const { limit, offset } = window(page);
    const faults = new Faults();
    faults.text('nameContains', filter?.nameContains, { max: 255 });
    faults.throwIfAny();
    const name = filter?.nameContains ? containing(filter.nameContains) : null;
    const whose = [viewer.isAdmin, viewer.userId, ...(name === null ? [] : [name])];
    const { where, suffix } = name === null ? { where: VISIBLE, suffix: '' } : { where: NAMED, suffix: '-named' };
    const total = `select count(*)::int as total from project p where ${where}`;
    const items = await this.database.prepared<Project & { total: number }>(
      `projects ${order}${suffix}`,
      `select ${COLUMNS}, ${ROLE}, (${total}) from project p where ${where}
        order by ${ORDERS[order]} limit $${whose.length + 1} offset $${whose.length + 2}`,
      [...whose, limit, offset],
    );
    // A page past the end has no row to tell the total.
    const [counted] =
      items.length > 0
        ? items
        : await this.database.prepared<{ total: number }>(`projects-total${suffix}`, total, whose);
    return { ...page, total: counted!.total, items };
  }

  async get(viewer: Viewer, id: number): Promise<Project> {
    const [row] = await this.database.byKey<Project>(
      'project',
      `select ${COLUMNS}, ${ROLE} from project p where p.id = $3`,
      [viewer.isAdmin, viewer.userId, id],
    );
    judge(row?.viewersRole ?? null, 'project.read');
    return row!;
  }

  /** Creates a project; the viewer becomes its owner. */
  async create(viewer: Viewer, input: ProjectCreateInput): Promise<Project> {
    check(input);
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
    check(input);
    const em = this.database.orm.em.fork();
    const project = await em.findOne(Project, { id });
    if (!project) throw new NotFoundError();
    if (input.name !== undefined) project.name = input.name.trim();
    if (input.webhookUrl !== undefined) project.webhookUrl = input.webhookUrl ?? '';
    if (input.isWebhookEnabled !== undefined) project.isWebhookEnabled = input.isWebhookEnabled ?? false;
    await em.flush();
    return project;
  }

  /** Deletes the project with all it holds; answers what it was. */
  async delete(viewer: Viewer, id: number): Promise<Project> {
    await this.access.authorize(viewer, id, 'project.delete');
    const project = await this.#load(id);
    await this.database.transaction(async sql => {
      const gone = await queries<ProjectTables>(sql)
        .deleteFrom('project')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!gone) throw new NotFoundError();
      const object = { type: 'project', id };
      await recordDeed(sql, viewer, {
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

function check(input: ProjectUpdateInput): void {
  const faults = new Faults();
  faults.text('name', input.name, { min: 1, max: 255 });
  faults.text('webhookUrl', input.webhookUrl, { max: 2048 });
  faults.httpUrl('webhookUrl', input.webhookUrl);
  faults.throwIfAny();
}
