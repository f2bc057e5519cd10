import type { Database } from '../../../platform/database/database.js';
import { type Expression, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { type Connection, type ConnectionArgs, readConnection } from '../../../platform/lists/connection.js';
import { type NestedPage, type NestedRows, nestedRows } from '../../../platform/lists/nested-rows.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { Totals } from '../../../platform/sql/totals.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import { runColumns } from './run-columns.js';
import { type RunFilter, runConditions, type WorkflowRunFilter } from './run-filter.inputs.js';
import { type ReadTables, runIds, runKeyset, runPage, runTotal } from './run-reads.js';
import { containsText } from './run-text.js';
import { WorkflowRunOrder } from './workflow-run.inputs.js';
import type { WorkflowRun } from './workflow-run.js';
import type { WorkflowRunService } from './workflow-run.service.js';

interface RequestedPage<F> {
  filter?: F | null | undefined;
  order: WorkflowRunOrder;
}

/** Lists the runs of a workflow, a project or a scenario run that match a filter. */
export class RunLists {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly runs: Pick<WorkflowRunService, 'list'>,
    private readonly ttlDays: number,
  ) {}

  /** Returns the visible runs of a workflow, or without a workflow those of a project. */
  async list(
    viewer: Viewer,
    workflowId: number | null,
    { filter, order }: RequestedPage<WorkflowRunFilter>,
    page: PageArgs,
  ): Promise<Page<WorkflowRun>> {
    if (workflowId !== null && !hasConditions(filter)) return this.runs.list(viewer, workflowId, order, page);
    const { limit, offset } = toLimitOffset(page);
    const conditions = await this.#authorizedConditions(viewer, workflowId, { filter, order });
    const tables = queryBuilder<ReadTables>(this.database);
    const [items, total] = await Promise.all([
      runPage(tables, conditions, order, { limit, offset, ttlDays: this.ttlDays }).execute(),
      this.#totals.read(runTotal(tables, conditions)),
    ]);
    return { ...page, total, items };
  }

  /** Returns the runs of `list`, selected by cursors. */
  async connection(
    viewer: Viewer,
    workflowId: number | null,
    requested: RequestedPage<WorkflowRunFilter>,
    args: ConnectionArgs,
  ): Promise<Connection<WorkflowRun>> {
    const conditions = await this.#authorizedConditions(viewer, workflowId, requested);
    const rows = queryBuilder<ReadTables>(this.database)
      .selectFrom('workflow_run as r')
      .select(runColumns(this.ttlDays))
      .where(({ and }) => and(conditions));
    const keyset = runKeyset(requested.order);
    return readConnection({ rows, keyset, totals: this.#totals, itemOf: (run: WorkflowRun) => run }, args);
  }

  async #authorizedConditions(
    viewer: Viewer,
    workflowId: number | null,
    { filter, order }: RequestedPage<WorkflowRunFilter>,
  ): Promise<Expression<boolean>[]> {
    const project = filter?.projectId ?? null;
    if (workflowId !== null) await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    const conditions: Expression<boolean>[] = [];
    if (workflowId !== null) conditions.push(expression<boolean>`r.workflow_id = ${workflowId}`);
    else if (project === null) throw new InvalidInputError({ workflowId: ['This or filter.projectId is required.'] });
    else checkOrder(order);
    if (project !== null) conditions.push(expression<boolean>`r.project_id = ${project}`);
    const all = [...conditions, ...runConditions(filter ?? {})];
    if (filter?.text == null) return all;
    const search = { text: filter.text, ttlDays: this.ttlDays };
    return [containsText(queryBuilder<ReadTables>(this.database), search, all)];
  }

  /** Returns the runs of a workflow that is known to be visible, with one statement for all workflows of a list. */
  ofWorkflow(
    context: RequestContext,
    id: number,
    requested: RequestedPage<RunFilter>,
    page: PageArgs,
  ): NestedPage<WorkflowRun> {
    return this.#nested(context, 'workflow', id, requested, page);
  }

  ofProject(
    context: RequestContext,
    id: number,
    requested: RequestedPage<RunFilter>,
    page: PageArgs,
  ): NestedPage<WorkflowRun> {
    checkOrder(requested.order);
    return this.#nested(context, 'project', id, requested, page);
  }

  /** Returns the runs that messages of a visible scenario run started, sub-runs included. */
  ofScenarioRun(context: RequestContext, id: number, page: PageArgs): NestedPage<WorkflowRun> {
    return this.#nested(context, 'scenario_run', id, { order: WorkflowRunOrder.CREATED_AT_DESC }, page);
  }

  #nested(
    context: RequestContext,
    owner: 'workflow' | 'project' | 'scenario_run',
    id: number,
    { filter, order }: RequestedPage<RunFilter>,
    page: PageArgs,
  ): NestedPage<WorkflowRun> {
    const conditions = runConditions(filter ?? {});
    const list: NestedRows<number, WorkflowRun> = {
      name: `${owner}.runs ${order} ${JSON.stringify(filter)}`,
      parent: 'int',
      rows: (sql, parentId) =>
        runIds(queryBuilder<ReadTables>(sql), conditions, order)
          .where(`r.${owner}_id`, '=', parentId)
          .clearSelect()
          .select(runColumns(this.ttlDays)),
    };
    return nestedRows(context, this.database, list, id, page);
  }
}

/** Whether any member of the filter is set. Without parameters, REST passes a filter whose members are absent or null. */
function hasConditions(filter: WorkflowRunFilter | null | undefined): boolean {
  return Object.values(filter ?? {}).some(value => value != null);
}

/** No index supports the runs of a project ordered by cost. */
function checkOrder(order: WorkflowRunOrder): void {
  if (order === WorkflowRunOrder.COST_ASC || order === WorkflowRunOrder.COST_DESC)
    throw new InvalidInputError({
      order: [
        'Ordering by cost requires the runs of one workflow: pass a workflow, or order by `created_at` or `-created_at`.',
      ],
    });
}
