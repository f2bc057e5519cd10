import type { Database, Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import { publishWorkflow, withdrawWorkflow } from '../workflows/market/workflow-market.js';
import type { Workflow } from '../workflows/workflow.js';
import type { WorkflowService } from '../workflows/workflow.service.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import { PublishRefusedError, PublishRequirement } from './publish-refusal.type.js';
import { findFreeSlug } from './slug.js';

interface Candidate {
  marketTitle: string;
  shortDescription: string;
  availableLanguages: string[];
  slug: string | null;
  isPublished: boolean;
  hasTemplate: boolean;
}

/** Publishes workflows on the marketplace and removes them. */
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
  ) {}

  /**
   * Publishes a workflow. The slug of the first publication is kept.
   * @throws PublishRefusedError with everything that is missing
   */
  async publish(viewer: Viewer, id: number): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId } = await locateWorkflow(sql, viewer, id, 'workflow.publish', { lock: true });
      const candidate = await readCandidate(sql, id);
      checkCandidate(candidate);
      if (candidate.isPublished) return;
      const slug = candidate.slug ?? (await findFreeSlug(sql, candidate.marketTitle, id));
      await publishWorkflow(sql, id, slug);
      await this.#record(sql, viewer, 'workflow.publish', id, projectId);
    });
    return this.workflows.get(viewer, id);
  }

  /** Removes a workflow from the marketplace. Copies are separate workflows and remain. */
  async unpublish(viewer: Viewer, id: number): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const { projectId, isPublished } = await locateWorkflow(sql, viewer, id, 'workflow.unpublish', { lock: true });
      if (!isPublished) return;
      await withdrawWorkflow(sql, id);
      await this.#record(sql, viewer, 'workflow.unpublish', id, projectId);
    });
    return this.workflows.get(viewer, id);
  }

  #record(sql: Sql, viewer: Viewer, action: string, id: number, projectId: number): Promise<void> {
    return recordAuditEvent(sql, viewer, { action, object: { type: 'workflow', id }, projectId });
  }
}

function readCandidate(sql: Sql, id: number): Promise<Candidate> {
  return queryBuilder<WorkflowTables & RunTables>(sql)
    .selectFrom('workflow as w')
    .select(['w.market_title as marketTitle', 'w.short_description as shortDescription', 'w.slug'])
    .select(['w.available_languages as availableLanguages', 'w.is_published as isPublished'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('workflow_run as r')
          .select('r.id')
          .whereRef('r.workflow_id', '=', 'w.id')
          .where('r.use_as_marketplace_template', '=', expression.lit(true)),
      )
        .$castTo<boolean>()
        .as('hasTemplate'),
    )
    .where('w.id', '=', id)
    .executeTakeFirstOrThrow();
}

function checkCandidate({ marketTitle, shortDescription, availableLanguages, hasTemplate }: Candidate): void {
  const missing: Partial<Record<PublishRequirement, string>> = {};
  const requiredMessage = 'This field is required to publish.';
  if (marketTitle.trim() === '') missing[PublishRequirement.MARKET_TITLE] = requiredMessage;
  if (shortDescription.trim() === '') missing[PublishRequirement.SHORT_DESCRIPTION] = requiredMessage;
  if (availableLanguages.length === 0) missing[PublishRequirement.LANGUAGES] = requiredMessage;
  if (!hasTemplate)
    missing[PublishRequirement.TEMPLATE_RUN] = 'Mark a succeeded run as the marketplace template first.';
  if (Object.keys(missing).length > 0) throw new PublishRefusedError(missing);
}
