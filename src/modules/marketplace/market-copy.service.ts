import { withoutReferences } from '../../engine/workflow/graph/references.js';
import { FILL_IN, gapsOf, withoutCredentials } from '../../engine/workflow/graph/secrets/credentials.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { isVisible, type ProjectAccess } from '../projects/access.js';
import { ensureOwnProject } from '../projects/own-project.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import { countMarketUser, insertMarketCopy, insertMarketTerms } from '../workflows/market/workflow-market.js';
import { marketFingerprint } from '../workflows/market-terms.js';
import type { ToolPinner } from '../workflows/mcp-tools/tool-pinner.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import type { Workflow } from '../workflows/workflow.js';
import { setRevision, type WorkflowService } from '../workflows/workflow.service.js';
import { WORKFLOW_POSITIONS } from '../workflows/workflow-positions.js';
import type { MarketTables } from './market-tables.js';
import { reachOf } from './workflow-reach.js';

/** The maximum number of entries of each kind in the audit log entry of a copy. */
const MAX_RECORDED = 100;

interface Tables extends MarketTables, ProjectTables, RunTables {}

interface Source {
  id: number;
  /**
   * The revision to copy: that of the template run, otherwise the current one. In a project with drafts it is the published
   * one, and null if there is none.
   */
  revisionId: number | null;
  /** Whether the viewer created the workflow or may edit it. */
  isAuthors: boolean;
}

/** Copies marketplace workflows. Each user has at most one copy of a workflow. Copies contain no secrets. */
export class MarketCopyService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly workflows: WorkflowService,
    private readonly toolPinner: Pick<ToolPinner, 'pinInBackground'>,
  ) {}

  /**
   * Returns the copy of a published workflow for the viewer and creates it on the first call. Authors receive
   * the original.
   * @throws NotFoundError if no published workflow has the slug
   */
  async copy(viewer: Viewer, slug: string, project: number | null): Promise<Workflow> {
    const source = hasUnstorableText(slug) ? undefined : await findSource(this.database, slug, viewer);
    if (!source) throw new NotFoundError();
    if (source.isAuthors) return this.workflows.get(viewer, source.id);
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'workflow.create');
    const existing = await findCopy(this.database, source, viewer);
    if (existing !== undefined) return this.workflows.get(viewer, existing);
    const projectId = project ?? (await ensureOwnProject(this.database, viewer));
    return this.workflows.get(viewer, await this.#createCopy(viewer, source, projectId));
  }

  async #createCopy(viewer: Viewer, source: Source, projectId: number): Promise<number> {
    if (source.revisionId === null)
      throw new ConflictError('The author has not published a revision of this workflow.');
    const original = await this.revisions.get(source.revisionId);
    // Credentials and references to objects of the project become `<fill in>`, which is also added to placeholders with
    // project variables; secret defaults become empty.
    const data = withoutReferences(withoutCredentials(original.data, FILL_IN, '').data);
    // That of the original, because the user may set the removed values again.
    const fingerprint = marketFingerprint(original.data);
    const created = await this.database.transaction(async sql => {
      await reserveUse(sql, source, viewer);
      const existing = await findCopy(sql, source, viewer);
      if (existing !== undefined) return { id: existing, revisionId: null };
      const sortId = await WORKFLOW_POSITIONS.next(sql, projectId);
      const { userId } = viewer;
      const target = { sourceId: source.id, projectId, userId };
      const terms = await insertMarketTerms(sql, target, fingerprint);
      if (!terms) throw new NotFoundError();
      const row = await insertMarketCopy(sql, target, { sortId, termsId: terms.id });
      if (!row) throw new NotFoundError();
      const copy = { projectId, workflowId: row.id, userId, data, secrets: {} };
      const revisionId = await this.revisions.add(sql, copy);
      await setRevision(sql, row.id, revisionId);
      await saveCopy(sql, source, viewer, row.id);
      await recordCopy(sql, viewer, { marketWorkflowId: source.id, id: row.id, projectId, data });
      return { id: row.id, revisionId };
    });
    // A request of a server may need what the user has not set yet. Saving the graph pins the tools again.
    if (created.revisionId !== null && gapsOf(data).length === 0) this.toolPinner.pinInBackground(created.revisionId);
    return created.id;
  }
}

interface CopyResult {
  marketWorkflowId: number;
  id: number;
  projectId: number;
  data: Record<string, unknown>;
}

/** Records the removed values and the used hosts, models and tools of the copy, because its graph may change later. */
function recordCopy(sql: Sql, viewer: Viewer, { marketWorkflowId, id, projectId, data }: CopyResult): Promise<void> {
  const reach = reachOf(data);
  const namesOf = (kind: string) =>
    [...new Set(reach.flatMap(each => (each.kind === kind ? [each.value] : [])))].slice(0, MAX_RECORDED);
  const gaps = gapsOf(data).map(({ nodeId, path, kind }) => ({ nodeId, path, kind }));
  const uses = { hosts: namesOf('host'), models: namesOf('model'), tools: namesOf('tool') };
  const detail = { marketWorkflowId, gaps: gaps.slice(0, MAX_RECORDED), ...uses };
  const object = { type: 'workflow', id };
  return recordAuditEvent(sql, viewer, { action: 'workflow.copy-from-marketplace', object, projectId, detail });
}

function findSource(sql: Sql, slug: string, { userId }: Viewer): Promise<Source | undefined> {
  return (
    queryBuilder<Tables>(sql)
      .selectFrom('workflow as w')
      .leftJoin('workflow_run as r', join =>
        join.onRef('r.workflow_id', '=', 'w.id').on('r.use_as_marketplace_template', '=', expression.lit(true)),
      )
      .innerJoin('project as p', 'p.id', 'w.project_id')
      .select('w.id')
      // Where the project uses drafts, a template run may have used a draft.
      .select(
        expression<number | null>`case when p.uses_drafts then w.published_revision_id
        else coalesce(r.revision_id, w.revision_id) end`.as('revisionId'),
      )
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('project_member as m')
            .select('m.id')
            .whereRef('m.project_id', '=', 'w.project_id')
            .where('m.user_id', '=', userId)
            .where(({ or, eb }) => or([eb('m.role', '<>', 'viewer'), eb('w.created_by_id', '=', userId)])),
        )
          .$castTo<boolean>()
          .as('isAuthors'),
      )
      .where('w.slug', '=', slug)
      .where('w.is_published', '=', true)
      .executeTakeFirst()
  );
}

/** Locks the use of a workflow by a user, so that a concurrent request waits and finds the copy. */
async function reserveUse(sql: Sql, { id }: Source, { userId }: Viewer): Promise<void> {
  const tables = queryBuilder<Tables>(sql);
  await tables
    .insertInto('marketplace_use')
    .values({ workflow_id: id, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  await tables
    .selectFrom('marketplace_use')
    .select('workflow_id')
    .where('workflow_id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .execute();
}

/** Returns the id of the copy of the viewer, unless it is archived or not visible to the viewer. */
async function findCopy(sql: Sql, { id }: Source, viewer: Viewer): Promise<number | undefined> {
  const copy = await queryBuilder<Tables>(sql)
    .selectFrom('marketplace_use as u')
    .innerJoin('workflow as c', 'c.id', 'u.copy_id')
    .select('c.id')
    .where('u.workflow_id', '=', id)
    .where('u.user_id', '=', viewer.userId)
    .where('c.archived_at', 'is', null)
    .where(isVisible(viewer, 'c.project_id'))
    .executeTakeFirst();
  return copy?.id;
}

/**
 * Records a copy. Only the first copy of a user counts as a new user of the workflow. The caller holds the lock
 * of `reserveUse`.
 */
async function saveCopy(sql: Sql, { id }: Source, { userId }: Viewer, copyId: number): Promise<void> {
  const tables = queryBuilder<Tables>(sql);
  const use = await tables
    .selectFrom('marketplace_use')
    .select('copied_at as copiedAt')
    .where('workflow_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  await tables
    .updateTable('marketplace_use')
    .set({ copy_id: copyId, ...(use.copiedAt === null && { copied_at: NOW }) })
    .where('workflow_id', '=', id)
    .where('user_id', '=', userId)
    .execute();
  if (use.copiedAt === null) await countMarketUser(sql, id);
}
