import { FILL_IN, gapsOf, withoutCredentials } from '../../engine/workflow/graph/credentials.js';
import { withoutReferences } from '../../engine/workflow/graph/references.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import { recordDeed } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { type ProjectAccess, visibleSql } from '../projects/access.js';
import { ensureOwnProject } from '../projects/own-project.js';
import { marketFingerprint } from '../workflows/market-terms.js';
import type { ToolPinner } from '../workflows/mcp-tools/tool-pinner.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import type { Workflow } from '../workflows/workflow.js';
import type { WorkflowService } from '../workflows/workflow.service.js';
import { WORKFLOW_POSITIONS } from '../workflows/workflow-positions.js';
import { reachOf } from './workflow-reach.js';

/** Entries of each kind that the audit log keeps of one copy. */
const MOST_RECORDED = 100;

interface Source {
  id: number;
  /** Of the template, else the present one. */
  revisionId: number;
  /** The viewer made it, or may change it. */
  isAuthors: boolean;
}

const FIND = `
  select w.id,
         coalesce((select r.revision_id from workflow_run r where r.workflow_id = w.id and r.use_as_marketplace_template),
                  w.revision_id) as "revisionId",
         exists (select 1 from project_member m where m.project_id = w.project_id and m.user_id = $2
                    and (m.role <> 'viewer' or w.created_by_id = $2)) as "isAuthors"
    from workflow w where w.slug = $1 and w.is_published`;

/** The viewer's copy, as long as it is there and theirs to see. */
const LIVING_COPY = `
  select c.id from marketplace_use u join workflow c on c.id = u.copy_id
   where u.workflow_id = $1 and u.user_id = $2 and c.archived_at is null and ${visibleSql('c.project_id', '$2', '$3')}`;

const INSERT_COPY = `
  insert into workflow (project_id, created_by_id, title, sort_id, market_title, short_description, readme_guide,
                        available_languages, run_fee, free_runs_per_user, category_id, subcategory_id, copied_from_id,
                        market_terms_id)
  select $2, $3, market_title, $4, market_title, short_description, readme_guide,
         available_languages, run_fee, free_runs_per_user, category_id, subcategory_id, id, $5
    from workflow where id = $1 and is_published returning id`;

/** What the author asks now: the copy's terms from here on. */
const INSERT_TERMS = `
  insert into market_terms (workflow_id, user_id, project_id, fingerprint, run_fee, free_runs)
  select id, $2, $3, $4, run_fee, free_runs_per_user from workflow where id = $1 and is_published returning id`;

const NOTE_COPY = `
  with earlier as (
    select copied_at is null as is_first from marketplace_use where workflow_id = $1 and user_id = $2),
  noted as (
    update marketplace_use set copy_id = $3, copied_at = coalesce(copied_at, now()) where workflow_id = $1 and user_id = $2)
  insert into workflow_figures as f (workflow_id, market_users_count)
  select $1, 1 from earlier where is_first
  on conflict (workflow_id) do update set market_users_count = f.market_users_count + 1`;

/** Copies of marketplace workflows: one for each user, without anybody's secrets. */
export class MarketCopyService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly workflows: WorkflowService,
    private readonly toolPinner: Pick<ToolPinner, 'pinSoon'>,
  ) {}

  /** The viewer's copy of a published workflow, made at the first time; the author is given the original. */
  async copy(viewer: Viewer, slug: string, project: number | null): Promise<Workflow> {
    const [source] = hasUnstorableText(slug) ? [] : await this.database.query<Source>(FIND, [slug, viewer.userId]);
    if (!source) throw new NotFoundError();
    if (source.isAuthors) return this.workflows.get(viewer, source.id);
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'workflow.create');
    const existing = await livingCopy(this.database, source, viewer);
    if (existing !== undefined) return this.workflows.get(viewer, existing);
    const projectId = project ?? (await ensureOwnProject(this.database, viewer));
    return this.workflows.get(viewer, await this.#make(viewer, source, projectId));
  }

  async #make(viewer: Viewer, source: Source, projectId: number): Promise<number> {
    const original = await this.revisions.get(source.revisionId);
    const data = withoutReferences(withoutCredentials(original.data, FILL_IN, '').data);
    const fingerprint = marketFingerprint(data);
    const made = await this.database.transaction(async sql => {
      // Whoever copies at the same time waits here, and finds the copy.
      await sql.query('insert into marketplace_use (workflow_id, user_id) values ($1, $2) on conflict do nothing', [
        source.id,
        viewer.userId,
      ]);
      await sql.query('select from marketplace_use where workflow_id = $1 and user_id = $2 for update', [
        source.id,
        viewer.userId,
      ]);
      const existing = await livingCopy(sql, source, viewer);
      if (existing !== undefined) return { id: existing, revisionId: null };
      const sortId = await WORKFLOW_POSITIONS.next(sql, projectId);
      const { userId } = viewer;
      const [terms] = await sql.query<{ id: number }>(INSERT_TERMS, [source.id, userId, projectId, fingerprint]);
      if (!terms) throw new NotFoundError();
      const [row] = await sql.query<{ id: number }>(INSERT_COPY, [source.id, projectId, userId, sortId, terms.id]);
      if (!row) throw new NotFoundError();
      const copy = { projectId, workflowId: row.id, userId, data, secrets: {} };
      const revisionId = await this.revisions.add(sql, copy);
      await sql.query('update workflow set revision_id = $2 where id = $1', [row.id, revisionId]);
      await sql.query(NOTE_COPY, [source.id, viewer.userId, row.id]);
      await recordCopy(sql, viewer, { marketWorkflowId: source.id, id: row.id, projectId, data });
      return { id: row.id, revisionId };
    });
    if (made.revisionId !== null) this.toolPinner.pinSoon(made.revisionId);
    return made.id;
  }
}

interface MadeCopy {
  marketWorkflowId: number;
  id: number;
  projectId: number;
  data: Record<string, unknown>;
}

/** The audit log keeps what the copy was cleared of and what it uses: its graph may have changed when that is asked. */
function recordCopy(sql: Sql, viewer: Viewer, { marketWorkflowId, id, projectId, data }: MadeCopy): Promise<void> {
  const reach = reachOf(data);
  const namesOf = (kind: string) =>
    [...new Set(reach.flatMap(each => (each.kind === kind ? [each.value] : [])))].slice(0, MOST_RECORDED);
  const gaps = gapsOf(data).map(({ nodeId, path, kind }) => ({ nodeId, path, kind }));
  const uses = { hosts: namesOf('host'), models: namesOf('model'), tools: namesOf('tool') };
  const detail = { marketWorkflowId, gaps: gaps.slice(0, MOST_RECORDED), ...uses };
  const object = { type: 'workflow', id };
  return recordDeed(sql, viewer, { action: 'workflow.copy-from-marketplace', object, projectId, detail });
}

async function livingCopy(sql: Sql, source: Source, viewer: Viewer): Promise<number | undefined> {
  const [copy] = await sql.query<{ id: number }>(LIVING_COPY, [source.id, viewer.userId, viewer.isAdmin]);
  return copy?.id;
}
