import type { Database } from '../../base/database.js';
import { NotFoundError } from '../../base/errors.js';
import { Faults } from '../../base/fields.js';
import type { Currencies, Money } from '../../base/money.js';
import { containing, type Page, type PageArgs, window } from '../../base/page.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { type ProjectAccess, visibleSql } from './access.js';
import type { ProjectCreateInput, ProjectFilter, ProjectOrder, ProjectUpdateInput } from './project.inputs.js';
import { Project } from './project.js';

const MAX_STOPWORDS = 10_000;

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
    const query = this.database.orm.em
      .fork()
      .createQueryBuilder(Project, 'p')
      .where(visibleSql('p.id', '?', '?'), [viewer.isAdmin, viewer.userId]);
    const faults = new Faults();
    faults.text('nameContains', filter?.nameContains, { max: 255 });
    faults.throwIfAny();
    if (filter?.nameContains) query.andWhere('p.name ilike ?', [containing(filter.nameContains)]);
    const [column = '', direction] = order.split(' ');
    const [items, total] = await query
      .orderBy({ [column]: direction, id: direction } as { [column in 'id']: 'asc' | 'desc' })
      .limit(limit)
      .offset(offset)
      .getResultAndCount();
    return { ...page, total, items };
  }

  async get(viewer: Viewer, id: number): Promise<Project> {
    await this.access.authorize(viewer, id, 'project.read');
    return this.#load(id);
  }

  /** Creates a project; the viewer becomes its owner. */
  async create(viewer: Viewer, input: ProjectCreateInput): Promise<Project> {
    check(input);
    const id = await this.database.transaction(async sql => {
      const [row] = await sql.query<{ id: number }>(
        'insert into project (name, webhook_url, is_webhook_enabled) values ($1, $2, $3) returning id',
        [input.name.trim(), input.webhookUrl ?? '', input.isWebhookEnabled ?? false],
      );
      const created = row!.id;
      await sql.query(`insert into project_member (project_id, user_id, role) values ($1, $2, 'owner')`, [
        created,
        viewer.userId,
      ]);
      return created;
    });
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
      const [gone] = await sql.query('delete from project where id = $1 returning id', [id]);
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
