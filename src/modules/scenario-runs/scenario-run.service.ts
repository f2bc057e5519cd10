import { randomUUID } from 'node:crypto';
import type { Database, Sql } from '../../platform/database/database.js';
import { BudgetExceededError, ConflictError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../platform/lists/page.js';
import { timeConditions } from '../../platform/lists/time-filter.input.js';
import { anyOf } from '../../platform/sql/any-of.js';
import { setColumns } from '../../platform/sql/set-columns.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Budget } from '../billing/budgets/budget.js';
import { type ProjectAccess, visibleSql } from '../projects/access.js';
import { locateProjectPart } from '../projects/parts/scenario-parts.js';
import { DOES_NOT_EXIST } from '../projects/parts/within.js';
import {
  checkInserted,
  type InsertedVariable,
  type InsertedVariableChange,
  insertedVariables,
} from './contents/inserted-variable.type.js';
import { changeMessage, changeRun, changeVariable, type RunChanges } from './contents/run-changes.js';
import { tokens } from './contents/run-outcomes.js';
import { RunParts } from './contents/run-parts.js';
import { locateScenarioRun, locateSource, type RunSource } from './locate-scenario-run.js';
import type {
  ScenarioRunFilter,
  ScenarioRunMessageInput,
  ScenarioRunStartInput,
  ScenarioRunUpdateInput,
  ScenarioRunVariableInput,
} from './scenario-run.inputs.js';
import { type ScenarioRun, ScenarioRunStatus } from './scenario-run.js';
import type { ScenarioRunCanceller } from './scenario-run-canceller.js';
import type { ScenarioRunStarter } from './scenario-run-start.js';

export type ScenarioRunRow = Omit<ScenarioRun, 'tokens'> & { promptTokens: number; completionTokens: number };

/** Of a list: the inserted values are read of the runs that fit into its page. */
export const SCENARIO_RUN_COLUMNS = `
  r.id, r.scenario_id as "scenarioId", r.project_id as "projectId", r.status, r.webhook_url as "webhookUrl",
  r.do_run_default as "doRunDefault", r.prompt_tokens as "promptTokens",
  r.completion_tokens as "completionTokens", r.cost_usd::text as "costUsd", r.error, r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.started_at as "startedAt", r.finished_at as "finishedAt"`;

export class ScenarioRunService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly budget: Budget,
    private readonly starter: ScenarioRunStarter,
    private readonly canceller: ScenarioRunCanceller,
  ) {}

  /** The runs of a scenario, or without one of all the viewer's projects, newest first. */
  async list(
    viewer: Viewer,
    scenarioId: number | null | undefined,
    filter: ScenarioRunFilter | null | undefined,
    page: PageArgs,
  ): Promise<Page<ScenarioRun>> {
    const { limit, offset } = window(page);
    const project = filter?.project ?? null;
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    if (scenarioId != null) await locateProjectPart(this.database, 'scenario', viewer, scenarioId, 'project.read');
    const values: unknown[] = [viewer.userId, viewer.isAdmin, scenarioId ?? null, project];
    const where = [
      visibleSql('r.project_id', '$1', '$2'),
      '($3::int is null or r.scenario_id = $3) and ($4::int is null or r.project_id = $4)',
      ...timeConditions(filter ?? {}, 'r.created_at', values),
      ...anyOf('statuses', 'r.status', filter?.statuses, values),
    ].join(' and ');
    const [count] = await this.database.query<{ total: number }>(
      `select count(*)::int as total from scenario_run r where ${where}`,
      values,
    );
    const rows = await this.database.query<ScenarioRunRow>(
      `select ${SCENARIO_RUN_COLUMNS} from scenario_run r where ${where} order by r.created_at desc, r.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    );
    return { ...page, total: count!.total, items: rows.map(scenarioRunOf) };
  }

  async get(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'project.read');
    return this.load(id);
  }

  /** Makes a run and starts it. `reservedId`: the same start again answers the same run. */
  async start(viewer: Viewer, input: ScenarioRunStartInput, reservedId: string | undefined): Promise<{ id: number }> {
    const source = await this.#sourceOf(viewer, input);
    const faults = new Faults();
    faults.httpUrl('webhookUrl', input.webhookUrl);
    const inserted = input.doRunDefault
      ? undefined
      : input.insertedVariables && insertedVariables(input.insertedVariables, faults);
    faults.throwIfAny();
    if (await this.budget.isSpent(source.projectId)) throw new BudgetExceededError();
    const id = await this.starter.start(
      {
        billingId: reservedId ?? randomUUID(),
        projectId: source.projectId,
        scenarioId: source.scenarioId,
        sourceId: source.id,
        userId: viewer.userId,
        parentRunId: null,
        webhookUrl: input.webhookUrl ?? '',
        doRunDefault: input.doRunDefault ?? false,
        insertedVariables: JSON.stringify(inserted ?? source.insertedVariables ?? []),
      },
      async (sql, runId) => {
        if (!input.doRunDefault) await changeRun(sql, runId, input);
      },
    );
    return { id };
  }

  /** Changes what is given. */
  async update(viewer: Viewer, id: number, input: ScenarioRunUpdateInput): Promise<ScenarioRun> {
    const faults = new Faults();
    faults.httpUrl('webhookUrl', input.webhookUrl);
    const { webhookUrl, doRunDefault, insertedVariables: sent } = input;
    const inserted = sent === undefined ? undefined : insertedVariables(sent ?? [], faults);
    return this.#change(viewer, id, async sql => {
      faults.throwIfAny();
      const changes = new Map<string, unknown>();
      if (webhookUrl !== undefined) changes.set('webhook_url', webhookUrl ?? '');
      if (doRunDefault !== undefined) changes.set('do_run_default', doRunDefault ?? false);
      if (inserted !== undefined) changes.set('inserted_variables', JSON.stringify(inserted));
      await changeRun(sql, id, input as RunChanges);
      return changes;
    });
  }

  updateInsertedVariable(viewer: Viewer, id: number, input: InsertedVariableChange): Promise<ScenarioRun> {
    return this.#change(viewer, id, async sql => {
      const faults = new Faults();
      checkInserted(faults, '', input);
      const { inserted } = (
        await sql.query<{ inserted: InsertedVariable[] }>(
          'select inserted_variables as inserted from scenario_run where id = $1',
          [id],
        )
      )[0]!;
      const element = inserted.find(each => each.id === input.id);
      if (!element) faults.add('id', DOES_NOT_EXIST);
      faults.throwIfAny();
      Object.assign(element!, {
        value: input.value,
        variable: input.variable ?? element!.variable,
        variableName: input.variableName ?? element!.variableName,
      });
      return new Map([['inserted_variables', JSON.stringify(inserted)]]);
    });
  }

  updateVariable(viewer: Viewer, id: number, input: ScenarioRunVariableInput): Promise<ScenarioRun> {
    return this.#changePart(viewer, id, parts => changeVariable(parts, input));
  }

  updateMessage(viewer: Viewer, id: number, input: ScenarioRunMessageInput): Promise<ScenarioRun> {
    return this.#changePart(viewer, id, parts => changeMessage(parts, input));
  }

  /** Ends a run; one that has ended stays as it is. */
  async cancel(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'scenario-run.cancel');
    await this.canceller.cancel(id);
    return this.load(id);
  }

  /** Deletes a run with its copies, after ending it, and answers what it was. Its rows on the ledger stay. */
  async delete(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'scenario-run.delete');
    await this.canceller.cancel(id);
    const run = await this.load(id);
    await this.database.query('delete from scenario_run where id = $1', [id]);
    return run;
  }

  /** Who may see it was decided before. */
  async load(id: number): Promise<ScenarioRun> {
    const [row] = await this.database.query<ScenarioRunRow>(
      `select ${SCENARIO_RUN_COLUMNS}, r.inserted_variables as "insertedVariables" from scenario_run r where r.id = $1`,
      [id],
    );
    if (!row) throw new NotFoundError();
    return scenarioRunOf(row);
  }

  #changePart(viewer: Viewer, id: number, change: (parts: RunParts) => Promise<Faults>): Promise<ScenarioRun> {
    return this.#change(viewer, id, async sql => {
      const faults = await change(await RunParts.read(sql, id));
      faults.throwIfAny();
      return new Map();
    });
  }

  /** A run takes changes before it begins and once it has ended; its lock keeps workers from beginning it meanwhile. */
  async #change(viewer: Viewer, id: number, change: (sql: Sql) => Promise<Map<string, unknown>>): Promise<ScenarioRun> {
    await this.database.transaction(async sql => {
      const { status } = await locateScenarioRun(sql, viewer, id, 'scenario-run.update', 'for no key update of r');
      if (status === ScenarioRunStatus.IN_PROGRESS)
        throw new ConflictError('The run is in progress: it takes changes before it begins and after its end.');
      await setColumns(sql, 'scenario_run', id, (await change(sql)).set('updated_at', new Date()));
    });
    return this.load(id);
  }

  /** An id in a body that is not the viewer's is a bad value. */
  async #sourceOf(viewer: Viewer, { scenario, scenariorun }: ScenarioRunStartInput): Promise<RunSource> {
    if (scenario == null && scenariorun == null)
      throw new InvalidInputError({ scenario: ['This field or scenariorun is required.'] });
    try {
      return await locateSource(
        this.database,
        viewer,
        scenario != null ? { scenario } : { scenariorun: scenariorun as number },
      );
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new InvalidInputError({ [scenario != null ? 'scenario' : 'scenariorun']: [DOES_NOT_EXIST] });
    }
  }
}

export function scenarioRunOf({ promptTokens, completionTokens, ...row }: ScenarioRunRow): ScenarioRun {
  return { ...row, tokens: tokens({ promptTokens, completionTokens }) };
}
