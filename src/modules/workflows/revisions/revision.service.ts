import DataLoader from 'dataloader';
import { diffGraphs } from '../../../engine/workflow/history/graph-diff.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, NOW, type QueryCreator, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { readWindow } from '../../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import { setUsesDrafts } from '../../projects/draft-settings.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import { toGraph } from '../graph/workflow-graph.js';
import { locateWorkflow } from '../locate-workflow.js';
import type { ToolPinner } from '../mcp-tools/tool-pinner.js';
import type { RevisionStore } from '../revision-store.js';
import type { WorkflowTables } from '../workflow-tables.js';
import type { PublishCondition } from './publish-conditions.js';
import { assertSavedLast } from './saved-last.js';
import {
  type SavedRevision,
  WorkflowChangeKind,
  type WorkflowPublication,
  type WorkflowRevisionDiff,
} from './workflow-revision.type.js';

interface Tables extends WorkflowTables, ProjectTables, AccountTables {}

/** Name and note of a revision. An absent member stays as it is. */
export interface RevisionTexts {
  name?: string | null | undefined;
  note?: string | null | undefined;
}

/** The history of a workflow: lists, compares, restores and publishes its revisions. Every method authorizes the viewer. */
export class RevisionService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly toolPinner: Pick<ToolPinner, 'pinInBackground'>,
    /** Modules above add their conditions when they are created. */
    readonly publishConditions: PublishCondition[] = [],
  ) {}

  /** The revisions of a workflow, newest first, without their graphs. */
  async list(viewer: Viewer, workflowId: number, page: PageArgs): Promise<Page<SavedRevision>> {
    await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    const rows = selectRevisions(queryBuilder<Tables>(this.database))
      .where('v.workflow_id', '=', workflowId)
      .orderBy('v.number', 'desc');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** A revision that a visible object refers to. A data loader reads those of a whole page in one query. */
  load(context: RequestContext, id: number): Promise<SavedRevision> {
    const loader = context.loader(
      'workflow.saved-revision',
      () =>
        new DataLoader<number, SavedRevision>(async ids => {
          const rows = await READ_REVISIONS(this.database, { ids });
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(each => byId.get(each) ?? new Error(`revision ${each} does not exist`));
        }),
    );
    return loader.load(id);
  }

  async get(viewer: Viewer, workflowId: number, number: number): Promise<SavedRevision> {
    await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    return findRevision(this.database, workflowId, number);
  }

  async diff(
    viewer: Viewer,
    workflowId: number,
    leftNumber: number,
    rightNumber: number,
  ): Promise<WorkflowRevisionDiff> {
    const [left, right] = [
      await this.get(viewer, workflowId, leftNumber),
      await findRevision(this.database, workflowId, rightNumber),
    ];
    const [before, after] = await Promise.all([this.revisions.get(left.id), this.revisions.get(right.id)]);
    const { nodes, edges, settings } = diffGraphs(before.data, after.data);
    return {
      ...{ left, right, settings },
      nodes: nodes.map(({ node, kind, ...change }) => ({
        ...change,
        change: WorkflowChangeKind[kind],
        label: toGraph({ nodes: [node] }).nodes[0]?.label ?? '',
      })),
      edges: edges.map(({ edge, kind }) => {
        const [ends] = toGraph({ edges: [edge] }).edges;
        return { ...ends!, change: WorkflowChangeKind[kind] };
      }),
    };
  }

  /** Changes the name and the note of a revision. */
  async describe(viewer: Viewer, workflowId: number, number: number, texts: RevisionTexts): Promise<SavedRevision> {
    await locateWorkflow(this.database, viewer, workflowId, 'workflow.update');
    assertTexts(texts);
    const { name, note } = texts;
    if (name !== undefined || note !== undefined)
      await queryBuilder<WorkflowTables>(this.database)
        .updateTable('workflow_revision')
        .set({
          ...(name === undefined ? {} : { name: name?.trim() ?? '' }),
          ...(note === undefined ? {} : { note: note ?? '' }),
        })
        .where('workflow_id', '=', workflowId)
        .where('number', '=', number)
        .execute();
    return findRevision(this.database, workflowId, number);
  }

  /**
   * Saves the graph of an earlier revision again, with its secrets, as a new revision.
   * @throws ConflictError when the revision that was saved last is not the expected one
   */
  async restore(
    viewer: Viewer,
    workflowId: number,
    number: number,
    expected: number | null | undefined,
  ): Promise<SavedRevision> {
    await locateWorkflow(this.database, viewer, workflowId, 'workflow.update');
    const { data, secrets, projectId } = await this.revisions.ofNumber(workflowId, number, 'number');
    const restored = await this.database.transaction(async sql => {
      const current = await locateWorkflow(sql, viewer, workflowId, 'workflow.update', { lock: true });
      assertSavedLast((await this.revisions.get(current.savedRevisionId, sql)).number, expected);
      const note = `Restored from revision ${number}.`;
      const id = await this.revisions.add(sql, { projectId, workflowId, userId: viewer.userId, data, secrets, note });
      await updateWorkflow(sql, workflowId, { revision_id: id });
      const object = { type: 'workflow', id: workflowId };
      await recordAuditEvent(sql, viewer, { action: 'workflow.restore', object, projectId, detail: { number } });
      return await readById(sql, id);
    });
    this.toolPinner.pinInBackground(restored.id);
    return restored;
  }

  /**
   * Makes a revision the one that new runs use. An earlier revision rolls the workflow back.
   * @throws ConflictError when the project uses no drafts, or requires a check that the revision has not passed
   */
  async publish(viewer: Viewer, workflowId: number, number: number, note: string): Promise<SavedRevision> {
    assertTexts({ note });
    return this.database.transaction(async sql => {
      const { projectId } = await locateWorkflow(sql, viewer, workflowId, 'workflow.publish-revision');
      // The project is locked before the workflow, in the order of `setDrafts`.
      await assertUsesDrafts(sql, projectId);
      await locateWorkflow(sql, viewer, workflowId, 'workflow.publish-revision', { lock: true });
      const { id } = await lockRevision(sql, workflowId, number);
      for (const condition of this.publishConditions)
        await condition(sql, { projectId, workflowId, revisionId: id, number });
      await updateWorkflow(sql, workflowId, { published_revision_id: id });
      await insertPublications(sql, viewer, note, { workflowId });
      await recordAuditEvent(sql, viewer, {
        action: 'workflow.publish-revision',
        object: { type: 'workflow', id: workflowId },
        projectId,
        detail: { number, note },
      });
      return await readById(sql, id);
    });
  }

  /** The publications of a workflow, newest first. */
  async publications(viewer: Viewer, workflowId: number, page: PageArgs): Promise<Page<WorkflowPublication>> {
    await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    const rows = queryBuilder<Tables>(this.database)
      .selectFrom('workflow_publication as x')
      .innerJoin('workflow_revision as v', 'v.id', 'x.revision_id')
      .leftJoin('app_user as u', 'u.id', 'x.user_id')
      .select(['x.id', 'v.number as revisionNumber', 'x.note', 'x.user_id as userId', 'u.name as userName'])
      .select('x.created_at as createdAt')
      .where('x.workflow_id', '=', workflowId)
      .orderBy('x.id', 'desc')
      .$castTo<WorkflowPublication>();
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /**
   * Sets whether a project uses drafts. Switching them on publishes the current revision of every workflow, so that
   * runs continue to use the same graphs; switching them off makes runs use the current revisions.
   */
  async setDrafts(viewer: Viewer, projectId: number, usesDrafts: boolean): Promise<void> {
    await this.access.authorize(viewer, projectId, 'project.update');
    await this.database.transaction(async sql => {
      if (!(await setUsesDrafts(sql, projectId, usesDrafts))) return;
      await queryBuilder<WorkflowTables>(sql)
        .updateTable('workflow')
        .set(({ ref }) => ({ published_revision_id: usesDrafts ? ref('revision_id') : null }))
        .where('project_id', '=', projectId)
        .execute();
      if (usesDrafts) await insertPublications(sql, viewer, 'Drafts were switched on.', { projectId });
      const detail = { usesDrafts };
      await recordAuditEvent(sql, viewer, {
        action: 'project.set-drafts',
        object: { type: 'project', id: projectId },
        ...{ projectId, detail },
      });
    });
  }
}

function selectRevisions(tables: QueryCreator<Tables>) {
  return tables
    .selectFrom('workflow_revision as v')
    .innerJoin('workflow as w', 'w.id', 'v.workflow_id')
    .leftJoin('app_user as u', 'u.id', 'v.user_id')
    .select(['v.id', 'v.workflow_id as workflowId', 'v.number', 'v.name', 'v.note', 'v.user_id as userId'])
    .select(['u.name as userName', 'v.created_at as createdAt'])
    .select(({ eb }) => [
      eb('w.revision_id', '=', eb.ref('v.id')).as('isCurrent'),
      eb.fn.coalesce(eb('w.published_revision_id', '=', eb.ref('v.id')), expression.lit(false)).as('isPublished'),
    ])
    .$castTo<SavedRevision>();
}

/** Prepared, because the current revision of a workflow is read with each REST item, for its `ETag`. */
const READ_REVISIONS = keyedQuery(
  'saved-revisions',
  (tables: QueryCreator<Tables>, value: Placeholder<{ ids: readonly number[] }>) =>
    selectRevisions(tables).where('v.id', '=', ({ fn }) => fn.any(expression<number[]>`${value('ids')}::int[]`)),
);

/** @throws NotFoundError when the workflow has no revision with the number */
async function findRevision(sql: Sql, workflowId: number, number: number): Promise<SavedRevision> {
  const row = await selectRevisions(queryBuilder<Tables>(sql))
    .where('v.workflow_id', '=', workflowId)
    .where('v.number', '=', number)
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return row;
}

async function readById(sql: Sql, id: number): Promise<SavedRevision> {
  return selectRevisions(queryBuilder<Tables>(sql)).where('v.id', '=', id).executeTakeFirstOrThrow();
}

/** Reads a revision and prevents its deletion until the commit. */
async function lockRevision(sql: Sql, workflowId: number, number: number): Promise<SavedRevision> {
  const row = await queryBuilder<WorkflowTables>(sql)
    .selectFrom('workflow_revision')
    .select('id')
    .where('workflow_id', '=', workflowId)
    .where('number', '=', number)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new InvalidInputError({ number: [`The workflow has no revision ${number}.`] });
  return readById(sql, row.id);
}

async function updateWorkflow(
  sql: Sql,
  id: number,
  change: { revision_id: number } | { published_revision_id: number },
): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ ...change, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** Records the published revisions of one workflow or of all of a project. */
async function insertPublications(
  sql: Sql,
  viewer: Viewer,
  note: string,
  of: { workflowId: number } | { projectId: number },
): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .insertInto('workflow_publication')
    .columns(['workflow_id', 'revision_id', 'user_id', 'note'])
    .expression(({ selectFrom }) =>
      selectFrom('workflow')
        .select(['id', expression<number>`published_revision_id`.as('revision_id')])
        .select([expression<number | null>`${viewer.userId || null}::int`.as('user_id')])
        .select([expression<string>`${note}::text`.as('note')])
        .where('workflowId' in of ? 'id' : 'project_id', '=', 'workflowId' in of ? of.workflowId : of.projectId)
        .where('published_revision_id', 'is not', null),
    )
    .execute();
}

async function assertUsesDrafts(sql: Sql, projectId: number): Promise<void> {
  const project = await queryBuilder<ProjectTables>(sql)
    .selectFrom('project')
    .select('uses_drafts as usesDrafts')
    .where('id', '=', projectId)
    .forShare()
    .executeTakeFirst();
  if (!project?.usesDrafts)
    throw new ConflictError(
      'The project uses no drafts: runs use the revision that was saved last. Switch drafts on first.',
    );
}

function assertTexts({ name, note }: RevisionTexts): void {
  const faults = new Faults();
  faults.text('name', name, { max: 255 });
  faults.text('note', note, { max: 2_000 });
  faults.throwIfAny();
}
