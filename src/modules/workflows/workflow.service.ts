import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../engine/json-value.js';
import { maskSecrets, restoreSecrets } from '../../engine/secrets.js';
import { inputFieldFaults } from '../../engine/workflow/graph/input-field-faults.js';
import type { ValidationContext } from '../../engine/workflow/graph/node-kind.js';
import { type GraphReference, referencesOf } from '../../engine/workflow/graph/references.js';
import { secretReuseFaults } from '../../engine/workflow/graph/secrets/secret-reuse.js';
import { checkWorkflow } from '../../engine/workflow/graph/validate.js';
import { wellFormedFaults } from '../../engine/workflow/graph/well-formed.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { Faults, isUnstorableJson, NOT_NULL } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { checkCategory } from '../categories/check-category.js';
import type { ConnectionStore } from '../connections/connection-store.js';
import type { VariableReader } from '../project-variables/variable-reader.js';
import { assertAllowed, type ProjectAccess } from '../projects/access.js';
import type { ServedModels } from '../provider-keys/served-models.js';
import { missingObjects } from './graph/missing-objects.js';
import { dataOf } from './graph/workflow-graph.js';
import { locateWorkflow } from './locate-workflow.js';
import type { ToolPinner } from './mcp-tools/tool-pinner.js';
import type { NodeKind } from './node-kinds/node-kind.type.js';
import { allNodeKinds } from './node-kinds/node-kinds.js';
import type { RevisionStore } from './revision-store.js';
import { assertSavedLast } from './revisions/saved-last.js';
import type { WorkflowCreateInput, WorkflowFilter, WorkflowOrder, WorkflowUpdateInput } from './workflow.inputs.js';
import type { Workflow } from './workflow.js';
import type { WorkflowCheck } from './workflow-check.type.js';
import { WORKFLOW_POSITIONS as POSITIONS } from './workflow-positions.js';
import {
  READ_ANY_WORKFLOW,
  READ_WORKFLOW,
  type ReadTables,
  visibleWorkflows,
  WORKFLOW_PAGES,
} from './workflow-reads.js';
import type { WorkflowTables } from './workflow-tables.js';

/** Maximum nesting of a graph in levels. */
const MAX_DATA_DEPTH = 64;
/** Maximum number of values in a list of a filter. */
const MAX_FILTER_VALUES = 100;

/** Lists, validates and edits workflows. Every method authorizes the viewer. */
export class WorkflowService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly servedModels: ServedModels,
    private readonly toolPinner: Pick<ToolPinner, 'pinInBackground'>,
    private readonly environment: Pick<VariableReader, 'names'>,
    private readonly connections: Pick<ConnectionStore, 'summaries'>,
  ) {}

  /** The unarchived workflows of the viewer's projects. */
  async list(
    viewer: Viewer,
    filter: WorkflowFilter | null | undefined,
    { order, areBookmarkedFirst = false }: { order: WorkflowOrder; areBookmarkedFirst?: boolean },
    page: PageArgs,
  ): Promise<Page<Workflow>> {
    const { limit, offset } = toLimitOffset(page);
    const faults = new Faults();
    faults.text('titleContains', filter?.titleContains, { max: 255 });
    for (const member of ['categoryIds', 'subcategoryIds', 'languages'] as const)
      if ((filter?.[member]?.length ?? 0) > MAX_FILTER_VALUES)
        faults.add(member, `Ensure this list has no more than ${MAX_FILTER_VALUES} items.`);
    faults.throwIfAny();
    if (areBookmarkedFirst || Object.values(filter ?? {}).some(value => value != null)) {
      const all = visibleWorkflows(queryBuilder<ReadTables>(this.database), viewer, order, areBookmarkedFirst);
      const listed = applyFilter(all, filter ?? {});
      return { ...page, ...(await readWindow(listed, { limit, offset })) };
    }
    const read = WORKFLOW_PAGES[order][viewer.isAdmin ? 'ofAdmin' : 'ofMember'];
    return { ...page, ...(await read(this.database, { userId: viewer.userId, limit, offset })) };
  }

  async get(viewer: Viewer, id: number): Promise<Workflow> {
    const [row] = await READ_WORKFLOW(this.database, { id, userId: viewer.userId, isAdmin: viewer.isAdmin });
    assertAllowed(row?.viewersRole ?? null, 'project.read');
    return row as Workflow;
  }

  /** Every caller may read the kinds of nodes. */
  nodeKinds(_viewer: Viewer): readonly NodeKind[] {
    return allNodeKinds();
  }

  /** The objects of a project to which a graph may refer. */
  async #contextOf(
    references: readonly GraphReference[],
    projectId: number,
  ): Promise<Pick<ValidationContext, 'variables' | 'connections'>> {
    const usesConnections = references.some(({ kind }) => kind === 'connection');
    const [variables, connections] = await Promise.all([
      this.environment.names(projectId),
      usesConnections ? this.connections.summaries(projectId) : undefined,
    ]);
    return { variables, ...(connections ? { connections } : {}) };
  }

  /** Validates a graph. The same function validates runs. */
  async check(data: unknown, workflow: { id: number; projectId: number } | null = null): Promise<WorkflowCheck> {
    const references = workflow && isObject(data) ? referencesOf(data) : [];
    const [context, missing] = workflow
      ? await Promise.all([
          this.#contextOf(references, workflow.projectId),
          missingObjects(this.database, references, workflow.projectId),
        ])
      : [{}, []];
    const check = await this.servedModels.withModels(workflow?.projectId ?? null, catalog => {
      const outcome = checkWorkflow(data, { ...catalog, ...context, workflowId: workflow?.id ?? null });
      return {
        outcome,
        isFinal: !outcome.issues.some(({ code }) => code === 'unknown_model' || code === 'unsupported_parameter'),
      };
    });
    const { is_valid, status, data: nodes, issues } = check;
    return {
      isValid: is_valid,
      status,
      data: nodes,
      issues: [
        ...issues.map(issue => ({
          code: issue.code,
          severity: issue.severity,
          nodeId: issue.node_id,
          edgeId: issue.edge_id,
          path: issue.path,
          message: issue.message,
        })),
        ...missing,
      ],
    };
  }

  /** Validates a graph that is not stored and belongs to no project, which every caller may do. */
  checkGraph(_viewer: Viewer, data: unknown): Promise<WorkflowCheck> {
    return this.check(data);
  }

  async create(viewer: Viewer, sent: WorkflowCreateInput): Promise<Workflow> {
    await this.access.authorizeNamed(viewer, sent.projectId, 'workflow.create');
    const input = { ...sent, data: dataOf(sent, {}) };
    const faults = inputFaults(input);
    if (input.data === undefined) faults.add('data', 'This or graph is required.');
    const { categoryId: category = null, subcategoryId: subcategory = null } = input;
    await checkCategory(this.database, faults, { categoryId: category, subcategoryId: subcategory });
    faults.throwIfAny();
    const { data, secrets } = maskSecrets(input.data as Record<string, unknown>);
    const saved = await this.database.transaction(async sql => {
      const sortId = await POSITIONS.next(sql, input.projectId);
      const { id: workflowId } = await queryBuilder<WorkflowTables>(sql)
        .insertInto('workflow')
        .values({
          ...{ project_id: input.projectId, created_by_id: viewer.userId, title: input.title.trim(), sort_id: sortId },
          ...{ market_title: input.marketTitle ?? '', short_description: input.shortDescription ?? '' },
          ...{ readme_guide: input.readmeGuide ?? '', available_languages: input.availableLanguages ?? [] },
          ...{ run_fee: input.runFee ?? 0, free_runs_per_user: input.freeRunsPerUser ?? 0 },
          ...{ category_id: input.categoryId ?? null, subcategory_id: input.subcategoryId ?? null },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const revisionId = await this.revisions.add(sql, {
        projectId: input.projectId,
        workflowId,
        userId: viewer.userId,
        data,
        secrets,
      });
      await setRevision(sql, workflowId, revisionId);
      return { workflowId, revisionId };
    });
    this.toolPinner.pinInBackground(saved.revisionId);
    return this.#load(saved.workflowId);
  }

  /** Updates the given members. A changed graph becomes a new revision; existing runs keep their revision. */
  async update(viewer: Viewer, id: number, sent: WorkflowUpdateInput): Promise<Workflow> {
    const { savedRevisionId } = await locateWorkflow(this.database, viewer, id, 'workflow.update');
    const stored = sent.graph ? (await this.revisions.get(savedRevisionId)).data : {};
    const input = { ...sent, data: dataOf(sent, stored) };
    inputFaults(input).throwIfAny();
    const savedRevision = await this.database.transaction(async sql => {
      const current = await locateWorkflow(sql, viewer, id, 'workflow.update', { lock: true });
      const { number } = await this.revisions.get(current.savedRevisionId, sql);
      assertSavedLast(number, input.expectedRevisionNumber);
      if (input.categoryId !== undefined || input.subcategoryId !== undefined) {
        const { categoryId: category = current.categoryId, subcategoryId: subcategory = current.subcategoryId } = input;
        const faults = new Faults();
        await checkCategory(sql, faults, { categoryId: category, subcategoryId: subcategory });
        faults.throwIfAny();
      }
      if (current.isPublished) checkStillPublishable(input);
      const changes: Updateable<WorkflowTables['workflow']> = { updated_at: new Date(), ...marketChanges(input) };
      if (input.title !== undefined) changes.title = input.title.trim();
      if (input.data !== undefined) {
        const revision = await this.revisions.get(current.savedRevisionId, sql);
        const faults = new Faults();
        for (const message of secretReuseFaults(input.data, revision)) faults.add('data', message);
        faults.throwIfAny();
        const { data, secrets } = restoreSecrets(input.data as Record<string, unknown>, revision);
        // Saving an unchanged graph must not create a revision, because front ends save after every click.
        if (!isDeepStrictEqual([data, secrets], [revision.data, revision.secrets])) {
          const next = { projectId: current.projectId, workflowId: id, userId: viewer.userId, data, secrets };
          changes.revision_id = await this.revisions.add(sql, next);
        }
      }
      await queryBuilder<WorkflowTables>(sql).updateTable('workflow').set(changes).where('id', '=', id).execute();
      return input.data === undefined ? undefined : (changes.revision_id ?? current.savedRevisionId);
    });
    // Saving a graph accepts the current definitions of its MCP tools, even if the graph is unchanged.
    if (savedRevision !== undefined) this.toolPinner.pinInBackground(savedRevision);
    return this.#load(id);
  }

  /** Archives a workflow permanently and closes the gap in the positions. */
  async archive(viewer: Viewer, id: number): Promise<Workflow> {
    const { projectId } = await locateWorkflow(this.database, viewer, id, 'workflow.delete');
    await this.database.transaction(async sql => {
      const locate = () => locateWorkflow(sql, viewer, id, 'workflow.delete');
      await POSITIONS.remove(sql, projectId, locate, () => archiveRow(sql, id));
      await recordAuditEvent(sql, viewer, { action: 'workflow.delete', object: { type: 'workflow', id }, projectId });
    });
    return this.#load(id);
  }

  /** Copies a workflow within its project, at the last position. The copy is not published. */
  async duplicate(viewer: Viewer, id: number): Promise<Workflow> {
    const { projectId } = await locateWorkflow(this.database, viewer, id, 'workflow.duplicate');
    const copy = await this.database.transaction(async sql => {
      const sortId = await POSITIONS.next(sql, projectId);
      const source = await locateWorkflow(sql, viewer, id, 'workflow.duplicate');
      const workflowId = await insertCopy(sql, id, { userId: viewer.userId, sortId });
      const { data, secrets } = await this.revisions.get(source.savedRevisionId, sql);
      const revisionId = await this.revisions.add(sql, { projectId, workflowId, userId: viewer.userId, data, secrets });
      await setRevision(sql, workflowId, revisionId);
      return { workflowId, revisionId };
    });
    this.toolPinner.pinInBackground(copy.revisionId);
    return this.#load(copy.workflowId);
  }

  /** Moves a workflow to a position in its project, limited to 1…n. The workflows in between shift by one. */
  async reorder(viewer: Viewer, id: number, target: number): Promise<Workflow> {
    const { projectId } = await locateWorkflow(this.database, viewer, id, 'workflow.reorder');
    await this.database.transaction(sql =>
      POSITIONS.move(sql, projectId, target, () => locateWorkflow(sql, viewer, id, 'workflow.reorder')),
    );
    return this.#load(id);
  }

  async #load(id: number): Promise<Workflow> {
    const [workflow] = await READ_ANY_WORKFLOW(this.database, { id });
    if (!workflow) throw new NotFoundError();
    return workflow;
  }
}

type WorkflowQuery = ReturnType<typeof visibleWorkflows>;

function applyFilter(workflows: WorkflowQuery, filter: WorkflowFilter): WorkflowQuery {
  const {
    projectId: project,
    titleContains,
    categoryIds: categories,
    subcategoryIds: subcategories,
    isPublished,
    languages,
  } = filter;
  return workflows
    .$if(project != null, query => query.where('w.project_id', '=', project!))
    .$if(!!titleContains, query => query.where('w.title', 'ilike', toContainsPattern(titleContains!)))
    .$if(!!categories, query => query.where(expression<boolean>`w.category_id = any(${categories}::int[])`))
    .$if(!!subcategories, query => query.where(expression<boolean>`w.subcategory_id = any(${subcategories}::int[])`))
    .$if(isPublished != null, query => query.where('w.is_published', '=', isPublished!))
    .$if(!!languages, query => query.where(expression<boolean>`w.available_languages && ${languages}::text[]`));
}

function archiveRow(sql: Sql, id: number) {
  return queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ archived_at: expression`now()`, updated_at: expression`now()`, is_published: false })
    .where('id', '=', id)
    .execute();
}

/** Makes a revision the current one of its workflow. */
export async function setRevision(sql: Sql, id: number, revisionId: number): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ revision_id: revisionId })
    .where('id', '=', id)
    .execute();
}

/** Inserts a copy without the graph. A copy is neither published nor archived. */
async function insertCopy(sql: Sql, id: number, by: { userId: number; sortId: number }): Promise<number> {
  const copy = await queryBuilder<WorkflowTables>(sql)
    .insertInto('workflow')
    .columns([
      ...COPIED_COLUMNS,
      'project_id',
      'copied_from_id',
      'market_terms_id',
      'created_by_id',
      'sort_id',
      'title',
    ])
    .expression(({ selectFrom }) =>
      selectFrom('workflow')
        .select([...COPIED_COLUMNS, 'project_id', 'copied_from_id', 'market_terms_id'])
        .select([expression<number>`${by.userId}::int`.as('created_by_id')])
        .select([expression<number>`${by.sortId}::int`.as('sort_id')])
        .select(expression<string>`left(title, 248) || ' (copy)'`.as('title'))
        .where('id', '=', id),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return copy.id;
}

/** The columns of the marketplace attributes, which a copy takes over. */
export const COPIED_COLUMNS = [
  'market_title',
  'short_description',
  'readme_guide',
  'available_languages',
  'run_fee',
  'free_runs_per_user',
  'category_id',
  'subcategory_id',
] as const;

/** Column of each marketplace attribute, with the value that replaces null. */
const MARKET_COLUMNS = [
  ['marketTitle', 'market_title', ''],
  ['shortDescription', 'short_description', ''],
  ['readmeGuide', 'readme_guide', ''],
  ['availableLanguages', 'available_languages', []],
  ['runFee', 'run_fee', 0],
  ['freeRunsPerUser', 'free_runs_per_user', 0],
  ['categoryId', 'category_id', null],
  ['subcategoryId', 'subcategory_id', null],
] as const satisfies readonly [keyof WorkflowUpdateInput, keyof WorkflowTables['workflow'], unknown][];

function marketChanges(input: WorkflowUpdateInput): Updateable<WorkflowTables['workflow']> {
  const sent = MARKET_COLUMNS.filter(([member]) => input[member] !== undefined);
  return Object.fromEntries(sent.map(([member, column, empty]) => [column, input[member] ?? empty]));
}

/** Rejects changes that empty an attribute which a published workflow requires. */
function checkStillPublishable(input: WorkflowUpdateInput): void {
  const faults = new Faults();
  for (const member of ['marketTitle', 'shortDescription', 'availableLanguages'] as const) {
    const value = input[member];
    if (value === undefined) continue;
    const isFilled = typeof value === 'string' ? value.trim() !== '' : (value?.length ?? 0) > 0;
    if (!isFilled)
      faults.add(member, 'A published workflow requires this field. Unpublish it first to clear the field.');
  }
  faults.throwIfAny();
}

function inputFaults(input: WorkflowUpdateInput): Faults {
  const faults = new Faults();
  faults.text('title', input.title, { min: 1, max: 255 });
  faults.text('marketTitle', input.marketTitle, { max: 255 });
  faults.text('shortDescription', input.shortDescription, { max: 2_000 });
  faults.text('readmeGuide', input.readmeGuide, { max: 100_000 });
  faults.integer('runFee', input.runFee, { min: 0, max: 999 });
  faults.integer('freeRunsPerUser', input.freeRunsPerUser, { min: 0, max: 1_000_000_000 });
  faults.languageCodes('availableLanguages', input.availableLanguages);
  if (input.data !== undefined) checkData(input.data, faults);
  return faults;
}

function checkData(data: unknown, faults: Faults): void {
  if (data === null) return faults.add('data', NOT_NULL);
  if (isUnstorableJson(data, MAX_DATA_DEPTH))
    return faults.add(
      'data',
      `The graph must not nest deeper than ${MAX_DATA_DEPTH} levels or contain null characters, lone surrogates or infinite numbers.`,
    );
  for (const message of wellFormedFaults(data)) faults.add('data', message);
  for (const message of inputFieldFaults(data)) faults.add('data', message);
}
