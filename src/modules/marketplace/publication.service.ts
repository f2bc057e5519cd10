import type { Database, Sql } from '../../platform/database/database.js';
import { Faults } from '../../platform/errors/fields.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import type { Workflow } from '../workflows/workflow.js';
import type { WorkflowService } from '../workflows/workflow.service.js';
import { freeSlug } from './slug.js';

interface Candidate {
  marketTitle: string;
  shortDescription: string;
  availableLanguages: string[];
  slug: string | null;
  isPublished: boolean;
  hasTemplate: boolean;
}

const READ = `
  select w.market_title as "marketTitle", w.short_description as "shortDescription",
         w.available_languages as "availableLanguages", w.slug, w.is_published as "isPublished",
         exists (select 1 from workflow_run r where r.workflow_id = w.id and r.use_as_marketplace_template) as "hasTemplate"
    from workflow w where w.id = $1`;

/** Puts workflows on the marketplace and takes them off. */
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
  ) {}

  /** Publishes a workflow, or names everything that it lacks. The slug of its first publication stays. */
  async publish(viewer: Viewer, id: number): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId } = await locateWorkflow(sql, viewer, id, 'workflow.publish', 'for no key update of w');
      const [candidate] = await sql.query<Candidate>(READ, [id]);
      check(candidate!);
      if (candidate!.isPublished) return;
      const slug = candidate!.slug ?? (await freeSlug(sql, candidate!.marketTitle, id));
      await sql.query(
        'update workflow set is_published = true, slug = $2, published_at = now(), updated_at = now() where id = $1',
        [id, slug],
      );
      await this.#record(sql, viewer, 'workflow.publish', id, projectId);
    });
    return this.workflows.get(viewer, id);
  }

  /** Takes a workflow off the marketplace. Copies are workflows of their own and stay what they are. */
  async unpublish(viewer: Viewer, id: number): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId, isPublished } = await locateWorkflow(
        sql,
        viewer,
        id,
        'workflow.unpublish',
        'for no key update of w',
      );
      if (!isPublished) return;
      await sql.query('update workflow set is_published = false, updated_at = now() where id = $1', [id]);
      await this.#record(sql, viewer, 'workflow.unpublish', id, projectId);
    });
    return this.workflows.get(viewer, id);
  }

  #record(sql: Sql, viewer: Viewer, action: string, id: number, projectId: number): Promise<void> {
    return recordDeed(sql, viewer, { action, object: { type: 'workflow', id }, projectId });
  }
}

function check({ marketTitle, shortDescription, availableLanguages, hasTemplate }: Candidate): void {
  const faults = new Faults();
  const needed = 'This field is needed to publish.';
  if (marketTitle.trim() === '') faults.add('marketTitle', needed);
  if (shortDescription.trim() === '') faults.add('shortDescription', needed);
  if (availableLanguages.length === 0) faults.add('availableLanguages', needed);
  if (!hasTemplate) faults.add('useAsMarketplaceTemplate', 'Mark a run that has succeeded as the template first.');
  faults.throwIfAny();
}
