import type { Database } from '../../../platform/database/database.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { type NestedPage, nestedPage } from '../../../platform/lists/nested-page.js';
import { type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import { Totals } from '../../../platform/sql/totals.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import { type RunFilter, runConditions, type WorkflowRunFilter } from './run-filter.inputs.js';
import { WorkflowRunOrder } from './workflow-run.inputs.js';
import { runColumns, type WorkflowRun } from './workflow-run.js';
import { ORDER_SQL, type WorkflowRunService } from './workflow-run.service.js';

interface Asked<F> {
  filter?: F | null | undefined;
  order: WorkflowRunOrder;
}

/** Lists of runs of a workflow or of a project, by state and time. */
export class RunLists {
  readonly #totals: Totals;

  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly runs: Pick<WorkflowRunService, 'list'>,
    private readonly ttlDays: number,
  ) {
    this.#totals = new Totals(database);
  }

  /** The runs of a workflow, or without one of a project, that the viewer may see. */
  async list(
    viewer: Viewer,
    workflowId: number | null,
    { filter, order }: Asked<WorkflowRunFilter>,
    page: PageArgs,
  ): Promise<Page<WorkflowRun>> {
    if (workflowId !== null && !filter) return this.runs.list(viewer, workflowId, order, page);
    const { limit, offset } = window(page);
    const project = filter?.project ?? null;
    if (workflowId !== null) await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    const values: unknown[] = [];
    const conditions: string[] = [];
    if (workflowId !== null) conditions.push(`r.workflow_id = $${values.push(workflowId)}`);
    else if (project === null) throw new InvalidInputError({ workflowId: ['This or filter.project is required.'] });
    else checkOrder(order);
    if (project !== null) conditions.push(`r.project_id = $${values.push(project)}`);
    conditions.push(...runConditions(filter ?? {}, values));
    const where = `workflow_run r where ${conditions.join(' and ')}`;
    const last = values.length;
    const [items, total] = await Promise.all([
      // What lies before a deep page is passed over in the index, without a look at the rows.
      this.database.query<WorkflowRun>(
        `select ${this.#columns}
           from (select r.id from ${where} order by ${ORDER_SQL[order]} limit $${last + 1} offset $${last + 2}) page
           join workflow_run r on r.id = page.id
          order by ${ORDER_SQL[order]}`,
        [...values, limit, offset],
      ),
      this.#totals.count(where, values),
    ]);
    return { ...page, total, items };
  }

  /** The same within a workflow that the viewer is known to see, one statement for the workflows of a list. */
  ofWorkflow(context: RequestContext, id: number, asked: Asked<RunFilter>, page: PageArgs): NestedPage<WorkflowRun> {
    return this.#nested(context, 'workflow', id, asked, page);
  }

  ofProject(context: RequestContext, id: number, asked: Asked<RunFilter>, page: PageArgs): NestedPage<WorkflowRun> {
    checkOrder(asked.order);
    return this.#nested(context, 'project', id, asked, page);
  }

  #nested(
    context: RequestContext,
    owner: 'workflow' | 'project',
    id: number,
    { filter, order }: Asked<RunFilter>,
    page: PageArgs,
  ): NestedPage<WorkflowRun> {
    const values: unknown[] = ['the ids of the owners'];
    const conditions = [`r.${owner}_id = parent.id`, ...runConditions(filter ?? {}, values)];
    const from = `workflow_run r where ${conditions.join(' and ')}`;
    const list = {
      name: `${owner}.runs ${from}`,
      parent: 'int' as const,
      columns: this.#columns,
      from,
      order: ORDER_SQL[order],
      values: values.slice(1),
    };
    return nestedPage<WorkflowRun>(context, this.database, list, id, page);
  }

  get #columns(): string {
    return runColumns(String(this.ttlDays));
  }
}

/** No index has the runs of a project by their cost. */
function checkOrder(order: WorkflowRunOrder): void {
  if (order === WorkflowRunOrder.COST_ASC || order === WorkflowRunOrder.COST_DESC)
    throw new InvalidInputError({ order: ['Runs come in the order of their cost within one workflow alone.'] });
}
