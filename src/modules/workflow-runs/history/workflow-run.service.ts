import DataLoader from 'dataloader';
import type { Queue } from '../../../durable/queue.js';
import { isObject } from '../../../engine/json-value.js';
import { isTerminal } from '../../../engine/status.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import type { ConnectionArgs } from '../../../platform/lists/connection.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import type { Currencies } from '../../../platform/money/money.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { Totals } from '../../../platform/sql/totals.js';
import { takeTransactionLock } from '../../../platform/sql/transaction-lock.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { BillingService } from '../../billing/billing.service.js';
import type { BillingFilter, BillingTransactionPage } from '../../billing/billing-transaction.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { type RunCost, runCost } from '../../billing/run-cost.type.js';
import { assertAllowed, isVisible, type ProjectAccess } from '../../projects/access.js';
import type { Action } from '../../projects/rights.js';
import { locateWorkflow, WorkflowLocator } from '../../workflows/locate-workflow.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import type { Workflow } from '../../workflows/workflow.js';
import { selectWorkflows } from '../../workflows/workflow-reads.js';
import { RememberedStarts } from '../admission/remembered-starts.js';
import { type RunAdmission, startOf, toReceipt } from '../admission/run-admission.js';
import type { Preparation, RunPreparer, SubmittedInput } from '../admission/run-preparer.js';
import type { RunCanceller } from '../execution/run-canceller.js';
import { RUN_QUEUE } from '../execution/run-claims.js';
import type { RunPayloads, RunResult } from '../journal/run-payloads.js';
import { resultInProgress, resultOfRow } from '../journal/run-results.js';
import { takeOverSecrets } from '../replay/kept-secrets.js';
import { loadChosenRevision, loadRunnableRevision, type RevisionChoice } from '../replay/run-revision.js';
import type { RunTables } from '../run-tables.js';
import { releaseDraft } from './release-draft.js';
import { runColumns } from './run-columns.js';
import { READ_RESULT, READ_RUN, type ReadTables, RUN_PAGES, RUN_TOTAL } from './run-reads.js';
import type {
  WorkflowRunDelivery,
  WorkflowRunOrder,
  WorkflowRunPage,
  WorkflowRunReceipt,
  WorkflowRunResult,
} from './workflow-run.inputs.js';
import type { WorkflowRun } from './workflow-run.js';

/** At least one of the two ids is required. With both, the run must belong to the project. */
export interface BillingQuery {
  runId: string | null | undefined;
  projectId: number | null | undefined;
  filter: BillingFilter | null | undefined;
}

/** The revision of a new run. */
interface ChosenRevision {
  /** Number of a revision of the workflow. Default: the revision that new runs use. */
  revisionNumber?: number | null | undefined;
}

/** The origin of a new run. */
interface Origin {
  /** The workflows of the runs that led to it, oldest first. Default: none. */
  ancestry?: readonly number[] | undefined;
}

interface WorkflowRunServiceParts {
  database: Database;
  access: ProjectAccess;
  revisions: RevisionStore;
  preparer: RunPreparer;
  budget: Budget;
  queue: Queue;
  admission: RunAdmission;
  canceller: RunCanceller;
  payloads: RunPayloads;
  currencies: Currencies;
  ledger: BillingService;
  /** Days after which results expire. */
  ttlDays: number;
}

/** Starts, reads, lists and cancels workflow runs. */
export class WorkflowRunService {
  readonly #totals = new Totals();
  readonly #locator: WorkflowLocator;
  readonly #remembered: RememberedStarts;

  constructor(private readonly parts: WorkflowRunServiceParts) {
    this.#locator = new WorkflowLocator(parts.database);
    this.#remembered = new RememberedStarts(this.#locator, parts);
  }

  /**
   * Starts a run of the published revision, or of the chosen one. A refusal is returned as the status inside the
   * receipt.
   */
  async start(
    viewer: Viewer,
    workflowId: number,
    request: SubmittedInput & ChosenRevision & Origin & { draft?: boolean; reservedId?: string | undefined },
  ): Promise<WorkflowRunReceipt> {
    const isUsual = !request.draft && request.revisionNumber == null;
    const receipt = isUsual ? await this.#remembered.start(viewer, workflowId, request) : undefined;
    if (receipt) return receipt;
    const workflow = await this.#locator.locate(viewer, workflowId, 'workflow.run');
    const revision = await loadRunnableRevision(this.parts.revisions, workflow, request.revisionNumber);
    const prepared = request.draft
      ? this.parts.preparer.prepareDraft(revision, request)
      : await this.#refuseOverBudget(
          await this.parts.preparer.prepare(revision, request),
          revision,
          workflow.isBudgetSpent,
        );
    const state = request.draft ? 'draft' : 'queued';
    const { reservedId: id, ancestry } = request;
    return this.#admit(viewer, revision, prepared, { state, id, isCopy: workflow.isCopy, ancestry });
  }

  /** Starts a run with the revision of an earlier run or the chosen one, with a new or the original input. */
  async restart(
    viewer: Viewer,
    workflowId: number,
    runId: string,
    request: SubmittedInput & RevisionChoice & { reservedId?: string | undefined },
  ): Promise<WorkflowRunReceipt> {
    const { isBudgetSpent, isCopy } = await this.#locator.locate(viewer, workflowId, 'workflow.run');
    const original = await this.get(viewer, runId, workflowId, 'workflow.run');
    const [payload] = await this.parts.payloads.read([original]);
    const hasOwnInput = request.input !== undefined || (request.inputText ?? null) !== null;
    if (!hasOwnInput && (original.isExpired || !payload))
      throw new InvalidInputError({ nonFieldErrors: ['The input of this run has expired: send a new input.'] });
    const revision = await loadChosenRevision(this.parts, viewer, original, request);
    const stored =
      payload && !original.isExpired
        ? this.parts.preparer.storedInput(runId, payload)
        : { input: {}, secrets: {}, inherited: [], hostRules: [], variables: [] };
    const checked = await this.parts.preparer.prepare(
      revision,
      { ...(hasOwnInput ? request : { input: stored.input }), environment: original.environment },
      stored.secrets,
    );
    // Secrets that the input brought from its original run stay masked, and may be sent only to the hosts of that run.
    const earlier = { revisionId: original.revisionId, stored };
    const taken = await takeOverSecrets(this.parts.revisions, revision, earlier, request);
    const prepared = await this.#refuseOverBudget({ ...checked, ...taken }, revision, isBudgetSpent);
    return this.#admit(viewer, revision, prepared, { state: 'queued', id: request.reservedId, isCopy });
  }

  /** Queues a draft run after validating its input, which inherits no secrets. A refused draft fails for good. */
  async release(viewer: Viewer, runId: string): Promise<WorkflowRunReceipt> {
    const run = await this.getStartable(viewer, runId);
    const [payload] = await this.parts.payloads.read([run]);
    if (run.state !== 'draft' || !payload) throw new ConflictError('Only a draft can be released.');
    const revision = await this.parts.revisions.get(run.revisionId);
    const stored = this.parts.preparer.storedInput(runId, payload);
    const prepared = await this.#refuseOverBudget(
      await this.parts.preparer.prepare(
        revision,
        { input: stored.input, environment: run.environment },
        stored.secrets,
      ),
      run,
    );
    const state = prepared.status === 201 ? 'queued' : 'failed';
    const runsAhead = state === 'queued' ? await this.parts.admission.checkQueue(run.projectId) : 0;
    await this.parts.database.transaction(async sql => {
      if (!(await releaseDraft(sql, run, state))) throw new ConflictError('Only a draft can be released.');
      const { input, sealedInput } = this.parts.preparer.seal(runId, prepared);
      await queryBuilder<RunTables>(sql)
        .updateTable('workflow_run_payload')
        .set({ input: JSON.stringify(input), sealed_input: sealedInput })
        .set({ result: prepared.result && JSON.stringify(prepared.result) })
        .where('run_id', '=', runId)
        .where('run_created_at', '=', run.createdAt)
        .execute();
      await this.parts.admission.keepFiles(run, prepared, sql);
      if (state === 'queued') await this.parts.queue.accept(RUN_QUEUE, [{ ...run, runsAhead }], sql);
    });
    return toReceipt(runId, prepared, state);
  }

  /** Cancels a run. A run that has already ended remains unchanged. */
  async cancel(viewer: Viewer, id: string, workflowId: number | null = null): Promise<WorkflowRun> {
    await this.get(viewer, id, workflowId, 'workflow.run');
    await this.parts.canceller.cancel(id);
    return this.get(viewer, id);
  }

  /** Marks or unmarks a run as the API run of its workflow. The mark of another run is removed. */
  async setApiRun(viewer: Viewer, workflowId: number, id: string, isApiRun: boolean): Promise<WorkflowRun> {
    await this.get(viewer, id, workflowId, 'workflow.mark-api-run');
    await this.parts.database.transaction(async sql => {
      // Serializes transactions per workflow: when two callers mark different runs, the later one wins.
      await takeTransactionLock(sql, ADVISORY_LOCKS.apiRun, workflowId);
      const runs = queryBuilder<RunTables>(sql).updateTable('workflow_run');
      if (isApiRun)
        await runs
          .set({ is_api_run: false, updated_at: NOW })
          .where('workflow_id', '=', workflowId)
          .where('is_api_run', '=', true)
          .where('id', '<>', id)
          .execute();
      await runs.set({ is_api_run: isApiRun, updated_at: NOW }).where('id', '=', id).execute();
    });
    return this.get(viewer, id);
  }

  /** Returns the charges of a run or of a whole project, newest first. */
  async billing(
    viewer: Viewer,
    { runId, projectId, filter }: BillingQuery,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    const owner = await this.#ledgerOwner(viewer, runId, projectId);
    return 'runId' in owner
      ? this.parts.ledger.ofRun(owner.runId, filter, page)
      : this.parts.ledger.ofProject(owner.projectId, filter, page);
  }

  /** Returns the charges of `billing`, selected by cursors. */
  async billingConnection(viewer: Viewer, { runId, projectId, filter }: BillingQuery, args: ConnectionArgs) {
    return this.parts.ledger.connection(await this.#ledgerOwner(viewer, runId, projectId), filter, args);
  }

  async #ledgerOwner(
    viewer: Viewer,
    runId: BillingQuery['runId'],
    projectId: BillingQuery['projectId'],
  ): Promise<{ runId: string } | { projectId: number }> {
    if (runId != null) {
      const run = await this.get(viewer, runId);
      if (projectId != null && run.projectId !== projectId) throw new NotFoundError();
      return { runId };
    }
    if (projectId == null) throw new InvalidInputError({ runId: ['This field or projectId is required.'] });
    await this.parts.access.authorize(viewer, projectId, 'project.read');
    return { projectId };
  }

  /** Returns the visible runs of a workflow. */
  async list(
    viewer: Viewer,
    workflowId: number,
    order: WorkflowRunOrder,
    page: PageArgs,
  ): Promise<WorkflowRunPage & Page<WorkflowRun>> {
    const { limit, offset } = toLimitOffset(page);
    await locateWorkflow(this.parts.database, viewer, workflowId, 'project.read');
    const [items, total] = await Promise.all([
      RUN_PAGES[order](this.parts.database, { workflowId, limit, offset, ttlDays: this.parts.ttlDays }),
      this.#totals.of(`${workflowId}`, async () => {
        const [row] = await RUN_TOTAL(this.parts.database, { workflowId });
        return row!.total;
      }),
    ]);
    return { ...page, total, items };
  }

  /**
   * Returns a run of a project in which the viewer may perform `action`. With `workflowId`, the run must belong to
   * that workflow, which must not be archived.
   */
  async get(
    viewer: Viewer,
    id: string,
    workflowId: number | null = null,
    action: Action = 'project.read',
  ): Promise<WorkflowRun> {
    const { userId, isAdmin } = viewer;
    const [row] = await READ_RUN(this.parts.database, { id, workflowId, userId, isAdmin, ttlDays: this.parts.ttlDays });
    assertAllowed(row?.role ?? null, action);
    return row!;
  }

  /** Returns a run that the viewer may start or repeat: its workflow, if it has one, is not archived. */
  async getStartable(viewer: Viewer, id: string, workflowId: number | null = null): Promise<WorkflowRun> {
    const run = await this.get(viewer, id, workflowId, 'workflow.run');
    if (workflowId === null && run.workflowId !== null)
      await this.#locator.locate(viewer, run.workflowId, 'workflow.run');
    return run;
  }

  /** Loads a run for a row of a list, with one query for the whole page. */
  load(context: RequestContext, id: string): Promise<WorkflowRun> {
    const { viewer } = context;
    const loader = context.loader(
      'workflow-run',
      () =>
        new DataLoader<string, WorkflowRun>(async ids => {
          const rows = await queryBuilder<ReadTables>(this.parts.database)
            .selectFrom('workflow_run as r')
            .select(runColumns(this.parts.ttlDays))
            .where('r.id', '=', ({ fn }) => fn.any(expression<string[]>`${ids}::uuid[]`))
            .where(isVisible(viewer, 'r.project_id'))
            .execute();
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(each => byId.get(each) ?? new NotFoundError());
        }),
    );
    return loader.load(id);
  }

  /**
   * Returns status and result of a run; a final status always comes with the result. With `nodeId`, `data` contains
   * only the entry of that node, if any. `data` is null while the run has no data.
   */
  async getResult(viewer: Viewer, id: string, nodeId: string | null = null): Promise<WorkflowRunDelivery> {
    const { status, data: whole } = await this.#readResult(viewer, id);
    return { status, data: nodeId === null ? whole : { ...whole, data: entryOf(whole.data, nodeId) } };
  }

  async #readResult({ userId, isAdmin }: Viewer, id: string): Promise<WorkflowRunDelivery> {
    const [row] = await READ_RESULT(this.parts.database, { id, userId, isAdmin, ttlDays: this.parts.ttlDays });
    assertAllowed(row?.role ?? null, 'project.read');
    const { state, sequence, isExpired, journal } = row!;
    if (state === 'draft' || isExpired) return toDelivery(id, isExpired ? 'expired' : 'draft', null);
    // A queued run has events if it is a fork or a worker returned it to the queue.
    if (state === 'queued' && sequence === 0) return toDelivery(id, state, null);
    const result = isTerminal(state) ? resultOfRow<RunResult>(row!) : resultInProgress(journal ?? []);
    return toDelivery(id, state, result);
  }

  cost(run: WorkflowRun): RunCost {
    return runCost(this.parts.currencies, run.costUsd, run.commissionUsd);
  }

  revisionOf(context: RequestContext, run: WorkflowRun): Promise<Revision> {
    return this.parts.revisions.load(context, run.revisionId);
  }

  /** Loads the workflow of a run, with one query for a whole list. */
  async workflowOf(context: RequestContext, run: Pick<WorkflowRun, 'workflowId'>): Promise<Workflow | null> {
    if (run.workflowId === null) return null;
    const { viewer } = context;
    const loader = context.loader(
      'workflow-run.workflow',
      () =>
        new DataLoader<number, Workflow | null>(async ids => {
          const rows = await selectWorkflows(queryBuilder<ReadTables>(this.parts.database))
            .where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
            .where('w.archived_at', 'is', null)
            .where(isVisible(viewer, 'w.project_id'))
            .execute();
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(id => byId.get(id) ?? null);
        }),
    );
    return loader.load(run.workflowId);
  }

  /**
   * Refuses an otherwise valid run when the spending limit is reached. Other refusals take precedence because they
   * are more specific. `mayBeSpent` is false if the workflow's row already showed that money is left.
   */
  async #refuseOverBudget(
    prepared: Preparation,
    { projectId }: { projectId: number },
    mayBeSpent = true,
  ): Promise<Preparation> {
    if (prepared.status !== 201 || !mayBeSpent) return prepared;
    const use = await this.parts.budget.findReachedLimit(projectId);
    return use ? this.parts.preparer.refuseOverBudget(prepared, use) : prepared;
  }

  /** Admits a run. When the reserved id exists, an earlier attempt of the same request has started the run. */
  async #admit(
    viewer: Viewer,
    revision: Revision,
    prepared: Preparation,
    request: Origin & { state: 'queued' | 'draft'; id: string | undefined; isCopy: boolean },
  ): Promise<WorkflowRunReceipt> {
    const run = startOf(viewer, revision, request);
    // A run may be executed before its row is inserted (ADR 0018). Runs of marketplace copies are not, because their end
    // charges a fee in its own transaction.
    const receipt = await this.parts.admission.admit(
      run,
      prepared,
      request.isCopy || revision.marketTermsId !== null ? undefined : revision,
    );
    return receipt ?? this.parts.admission.receiptOf(run.id);
  }
}

/** Returns `data` reduced to the entry of one node. */
function entryOf(data: unknown, nodeId: string): unknown {
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([id]) => id === nodeId));
}

function toDelivery(id: string, status: WorkflowRunResult['status'], result: RunResult | null): WorkflowRunDelivery {
  return {
    status: 200,
    data: { id, status, data: result?.data ?? null, output: result?.output ?? null, error: result?.error ?? null },
  };
}
