import DataLoader from 'dataloader';
import type { Queue } from '../../durable/queue.js';
import { isObject } from '../../engine/json-value.js';
import { secretReuseFaults } from '../../engine/workflow/graph/secrets/secret-reuse.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { Bus } from '../../platform/messaging/bus.js';
import type { Currencies } from '../../platform/money/money.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { Action } from '../projects/rights.js';
import type { FinishedRun, RecordedRuns } from '../workflow-runs/replay/recorded-runs.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { REHEARSAL_QUEUE } from './execution/rehearsal-claims.js';
import { withNodeChange } from './execution/rehearsed-graph.js';
import type { NodeChangeInput, RehearsalAllowance, RehearsalRunsInput } from './rehearsal.inputs.js';
import {
  type Rehearsal,
  RehearsalKind,
  RehearsalState,
  type RehearsedRun,
  rehearsalCancelTopic,
  rehearsalTopic,
} from './rehearsal.js';
import {
  type RehearsalCosts,
  readCosts,
  selectRehearsals,
  selectRehearsedRuns,
  toRehearsedRun,
} from './rehearsal-reads.js';
import type { NodeChange, RehearsalSettings } from './rehearsal-settings.js';
import type { RehearsalTables } from './rehearsal-tables.js';

const DEFAULT_RUNS = 50;
const MAX_RUNS = 500;
/** Range and precision of a budget in US dollars. */
const BUDGET = { max: '1000000', places: 12 };

interface Parts {
  database: Database;
  queue: Queue;
  runs: RecordedRuns;
  revisions: RevisionStore;
  budget: Budget;
  currencies: Currencies;
}

/** Members that all kinds of rehearsals have. */
export interface RehearsalRequest {
  budgetUsd: string;
  allow?: readonly RehearsalAllowance[] | null | undefined;
  /** Reserved by the idempotency key of the request. A repeated call with the same id returns the first rehearsal. */
  reservedId?: string | undefined;
}

export interface PublishCheckRequest extends RehearsalRequest {
  revisionNumber?: number | null | undefined;
  runs?: RehearsalRunsInput | null | undefined;
}

export interface WhatIfRequest extends RehearsalRequest {
  change: NodeChangeInput;
  runs?: RehearsalRunsInput | null | undefined;
}

export interface BisectRequest extends RehearsalRequest {
  goodRunId: string;
  badRunId: string;
}

/** A rehearsal to insert. */
interface NewRehearsal {
  id: string;
  projectId: number;
  workflowId: number;
  revisionId: number | null;
  kind: RehearsalKind;
  settings: RehearsalSettings;
  budgetUsd: string;
  runs: readonly FinishedRun[];
}

/** Starts, reads and cancels rehearsals. Every method with a viewer authorizes the viewer. */
export class RehearsalService {
  constructor(private readonly parts: Parts) {}

  /** Rehearses recorded runs with a revision, by default the one that was saved last. */
  async check(viewer: Viewer, workflowId: number, request: PublishCheckRequest): Promise<Rehearsal> {
    const { revisions } = this.parts;
    const workflow = await locateWorkflow(this.parts.database, viewer, workflowId, 'workflow.rehearse');
    const { revisionNumber } = request;
    const revisionId =
      revisionNumber == null
        ? workflow.savedRevisionId
        : (await revisions.ofNumber(workflowId, revisionNumber, 'revisionNumber')).id;
    const runs = await this.#select(workflowId, request.runs);
    const kind = RehearsalKind.PUBLISH_CHECK;
    return this.#start(viewer, request, { ...workflow, workflowId, revisionId, kind, runs, settings: {} });
  }

  /** Rehearses recorded runs with their own revisions, in which one node is changed. */
  async whatIf(viewer: Viewer, workflowId: number, request: WhatIfRequest): Promise<Rehearsal> {
    const workflow = await locateWorkflow(this.parts.database, viewer, workflowId, 'workflow.rehearse');
    const change = toNodeChange(request.change);
    const runs = await this.#select(workflowId, request.runs);
    await this.#assertSecretsStay(runs, change);
    const kind = RehearsalKind.WHAT_IF;
    return this.#start(viewer, request, {
      ...workflow,
      workflowId,
      revisionId: null,
      kind,
      runs,
      settings: { change },
    });
  }

  /** Searches the change between two runs of one workflow after which the end is that of the bad run. */
  async bisect(viewer: Viewer, workflowId: number, request: BisectRequest): Promise<Rehearsal> {
    const workflow = await locateWorkflow(this.parts.database, viewer, workflowId, 'workflow.rehearse');
    const { goodRunId, badRunId } = request;
    for (const [argument, id] of Object.entries({ goodRunId, badRunId })) {
      const run = await this.parts.runs.find(id);
      if (run?.workflowId !== workflowId)
        throw new InvalidInputError({
          [argument]: ['Must be the id of a finished run of the workflow whose results have not expired.'],
        });
    }
    if (goodRunId === badRunId) throw new InvalidInputError({ badRunId: ['Must differ from `goodRunId`.'] });
    const settings = { goodRunId, badRunId };
    const kind = RehearsalKind.BISECT;
    return this.#start(viewer, request, { ...workflow, workflowId, revisionId: null, kind, runs: [], settings });
  }

  async list(viewer: Viewer, workflowId: number, page: PageArgs): Promise<Page<Rehearsal>> {
    await locateWorkflow(this.parts.database, viewer, workflowId, 'project.read');
    const rows = selectRehearsals(this.parts.database)
      .where('r.workflow_id', '=', workflowId)
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  async get(viewer: Viewer, id: string): Promise<Rehearsal> {
    return this.#locate(viewer, id, 'project.read');
  }

  /** The runs of a rehearsal in the order of their start; of a bisection, its replays. */
  async runs(viewer: Viewer, id: string, page: PageArgs): Promise<Page<RehearsedRun>> {
    await this.#locate(viewer, id, 'project.read');
    const { items, total } = await readWindow(selectRehearsedRuns(this.parts.database, id), toLimitOffset(page));
    return { ...page, total, items: items.map(run => toRehearsedRun(run, this.parts.currencies)) };
  }

  /** The costs of the runs that have ended, of a rehearsal that the caller has read. A data loader reads those of a whole page in one query. */
  costs(context: RequestContext, { id }: Rehearsal): Promise<RehearsalCosts> {
    const loader = context.loader(
      'rehearsal.costs',
      () => new DataLoader<string, RehearsalCosts>(ids => readCosts(this.parts.database, ids)),
    );
    return loader.load(id);
  }

  /** Cancels a rehearsal. Calls in flight are aborted. @throws ConflictError when it has ended */
  async cancel(viewer: Viewer, id: string): Promise<Rehearsal> {
    const { database, queue } = this.parts;
    await this.#locate(viewer, id, 'workflow.rehearse');
    await database.transaction(async sql => {
      const row = await queryBuilder<RehearsalTables>(sql)
        .updateTable('rehearsal')
        .set({ state: RehearsalState.CANCELLED, finished_at: NOW, updated_at: NOW })
        .where('id', '=', id)
        .where('state', 'in', [RehearsalState.QUEUED, RehearsalState.RUNNING])
        .returning(['project_id as projectId'])
        .executeTakeFirst();
      if (!row) throw new ConflictError('The rehearsal has already ended.');
      await queue.remove(REHEARSAL_QUEUE, [id], sql);
      const object = { type: 'rehearsal', id };
      await recordAuditEvent(sql, viewer, { action: 'workflow.cancel-rehearsal', object, projectId: row.projectId });
      await Bus.notify(sql, [rehearsalTopic(id), rehearsalCancelTopic(id)]);
    });
    return this.get(viewer, id);
  }

  async #select(workflowId: number, runs: RehearsalRunsInput | null | undefined): Promise<FinishedRun[]> {
    const last = runs?.last ?? DEFAULT_RUNS;
    if (last < 1 || last > MAX_RUNS)
      throw new InvalidInputError({ 'runs.last': [`Ensure this value is between 1 and ${MAX_RUNS}.`] });
    return this.parts.runs.select(workflowId, runs?.filter ?? {}, last);
  }

  /** @throws InvalidInputError for a change that would send a stored secret to another host */
  async #assertSecretsStay(runs: readonly FinishedRun[], change: NodeChange): Promise<void> {
    const faults = new Set<string>();
    for (const id of new Set(runs.map(({ revisionId }) => revisionId))) {
      const revision = await this.parts.revisions.get(id);
      const changed = withNodeChange(revision, change);
      for (const fault of changed ? secretReuseFaults(changed.data, revision) : []) faults.add(fault);
    }
    if (faults.size > 0) throw new InvalidInputError({ 'change.settings': [...faults] });
  }

  async #start(
    viewer: Viewer,
    { budgetUsd, allow, reservedId }: RehearsalRequest,
    rehearsal: Omit<NewRehearsal, 'id' | 'budgetUsd' | 'settings'> & { settings: Omit<RehearsalSettings, 'allow'> },
  ): Promise<Rehearsal> {
    const { database, queue, budget } = this.parts;
    const faults = new Faults();
    faults.amount('budgetUsd', budgetUsd, BUDGET);
    faults.throwIfAny();
    const { projectId } = rehearsal;
    await budget.assertNotSpent(projectId);
    const id = reservedId ?? timeOrderedUuid();
    const settings = { ...rehearsal.settings, allow: [...new Set(allow ?? [])] };
    await database.transaction(async sql => {
      if (!(await insertRehearsal(sql, viewer, { ...rehearsal, id, budgetUsd, settings }))) return;
      await recordAuditEvent(sql, viewer, {
        action: 'workflow.rehearse',
        object: { type: 'workflow', id: rehearsal.workflowId },
        projectId,
        detail: {
          rehearsalId: id,
          kind: rehearsal.kind,
          budgetUsd,
          allow: settings.allow,
          runs: rehearsal.runs.length,
        },
      });
      await queue.accept(REHEARSAL_QUEUE, [{ id, projectId }], sql);
    });
    return this.get(viewer, id);
  }

  async #locate(viewer: Viewer, id: string, action: Action): Promise<Rehearsal> {
    const rehearsal = await selectRehearsals(this.parts.database).where('r.id', '=', id).executeTakeFirst();
    if (!rehearsal) throw new NotFoundError();
    await locateWorkflow(this.parts.database, viewer, rehearsal.workflowId, action);
    return rehearsal;
  }
}

/** Returns false when the id exists. */
async function insertRehearsal(sql: Sql, viewer: Viewer, rehearsal: NewRehearsal): Promise<boolean> {
  const { id, projectId, workflowId, revisionId, kind, settings, budgetUsd, runs } = rehearsal;
  const inserted = await queryBuilder<RehearsalTables>(sql)
    .insertInto('rehearsal')
    .values({
      ...{ id, project_id: projectId, workflow_id: workflowId, revision_id: revisionId, kind, budget_usd: budgetUsd },
      // The operator has the id 0 and is not a user.
      ...{ user_id: viewer.userId || null, settings: JSON.stringify(settings), runs_count: runs.length },
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  if (runs.length > 0)
    await queryBuilder<RehearsalTables>(sql)
      .insertInto('rehearsal_run')
      .values(
        runs.map((run, index) => ({
          ...{ id: timeOrderedUuid(), rehearsal_id: id, position: index + 1, run_id: run.id },
          revision_id: revisionId ?? run.revisionId,
        })),
      )
      .execute();
  return true;
}

/** @throws InvalidInputError for a change without members */
function toNodeChange({ nodeId, model, prompt, settings }: NodeChangeInput): NodeChange {
  if (settings != null && !isObject(settings))
    throw new InvalidInputError({ 'change.settings': ['Must be a JSON object.'] });
  if (model == null && prompt == null && settings == null)
    throw new InvalidInputError({ change: ['Send `model`, `prompt` or `settings`.'] });
  return { nodeId, model, prompt, settings };
}
