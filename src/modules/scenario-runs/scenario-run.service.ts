import { randomUUID } from 'node:crypto';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { timeWithin } from '../../platform/lists/time-filter.input.js';
import type { Warning, Warnings } from '../../platform/requests/warnings.js';
import { whereAnyOf } from '../../platform/sql/any-of.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Budget } from '../billing/budgets/budget.js';
import { isVisible, type ProjectAccess } from '../projects/access.js';
import { notFoundToInputError } from '../projects/parts/not-found-to-input-error.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import { locateProjectPart } from '../projects/parts/scenario-parts.js';
import type { InsertedVariable, InsertedVariableChange } from './contents/inserted-variable.type.js';
import {
  checkInsertedVariable,
  insertedVariableWarnings,
  parseInsertedVariables,
} from './contents/inserted-variables.js';
import { changeMessage, changeRun, changeVariable, type RunChanges } from './contents/run-changes.js';
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
import { readScenarioRun, selectNewestScenarioRuns, toScenarioRun } from './scenario-run-rows.js';
import type { ScenarioRunStarter } from './scenario-run-starter.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

type RunUpdate = Updateable<ScenarioRunTables['scenario_run']>;

/** Lists, starts, changes and cancels scenario runs. Every method with a viewer authorizes it. */
export class ScenarioRunService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly budget: Budget,
    private readonly starter: ScenarioRunStarter,
    private readonly canceller: ScenarioRunCanceller,
  ) {}

  /** Lists the runs of a scenario, newest first. Without a scenario: the runs of all the viewer's projects. */
  async list(
    viewer: Viewer,
    scenarioId: number | null | undefined,
    filter: ScenarioRunFilter | null | undefined,
    page: PageArgs,
  ): Promise<Page<ScenarioRun>> {
    const { limit, offset } = toLimitOffset(page);
    const projectId = filter?.projectId ?? null;
    if (projectId !== null) await this.access.authorizeNamed(viewer, projectId, 'project.read');
    if (scenarioId != null) await locateProjectPart(this.database, 'scenario', viewer, scenarioId, 'project.read');
    let runs = selectNewestScenarioRuns(this.database)
      .where(isVisible(viewer, 'scenario_run.project_id'))
      .where(({ and }) => and(timeWithin(filter ?? {}, 'scenario_run.created_at')));
    if (scenarioId != null) runs = runs.where('scenario_id', '=', scenarioId);
    if (projectId !== null) runs = runs.where('project_id', '=', projectId);
    runs = whereAnyOf(runs, 'status', 'statuses', filter?.statuses);
    const { items, total } = await readWindow(runs, { limit, offset });
    return { ...page, total, items: items.map(toScenarioRun) };
  }

  async get(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'project.read');
    return this.load(id);
  }

  /** Creates and starts a run. A repeated call with the same `reservedId` returns the first run. */
  async start(
    viewer: Viewer,
    input: ScenarioRunStartInput,
    reservedId: string | undefined,
    warnings?: Warnings,
  ): Promise<{ id: number }> {
    const source = await this.#locateSource(viewer, input);
    const { webhookUrl = source.webhookUrl, doRunDefault = source.doRunDefault } = input;
    const faults = new Faults();
    faults.httpUrl('webhookUrl', input.webhookUrl);
    const inserted = doRunDefault
      ? undefined
      : input.insertedVariables && parseInsertedVariables(input.insertedVariables, faults);
    faults.throwIfAny();
    await this.budget.assertNotSpent(source.projectId);
    const id = await this.starter.start(
      {
        billingId: reservedId ?? randomUUID(),
        projectId: source.projectId,
        scenarioId: source.scenarioId,
        sourceId: source.id,
        userId: viewer.userId,
        parentRunId: null,
        webhookUrl: webhookUrl ?? '',
        doRunDefault: doRunDefault ?? false,
        insertedVariables: JSON.stringify(inserted ?? source.insertedVariables ?? []),
      },
      async (sql, runId) => {
        if (!doRunDefault) await changeRun(sql, runId, input);
      },
    );
    if (doRunDefault && input.doRunDefault === undefined) warnings?.add(ignoredChangeWarnings(input));
    warnings?.add(await insertedVariableWarnings(this.database, id, inserted ?? []));
    return { id };
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: ScenarioRunUpdateInput, warnings?: Warnings): Promise<ScenarioRun> {
    const faults = new Faults();
    faults.httpUrl('webhookUrl', input.webhookUrl);
    const { webhookUrl, doRunDefault, insertedVariables: list } = input;
    const inserted = list === undefined ? undefined : parseInsertedVariables(list ?? [], faults);
    const changed = await this.#change(viewer, id, async sql => {
      faults.throwIfAny();
      const changes: RunUpdate = {};
      if (webhookUrl !== undefined) changes.webhook_url = webhookUrl ?? '';
      if (doRunDefault !== undefined) changes.do_run_default = doRunDefault ?? false;
      if (inserted !== undefined) changes.inserted_variables = JSON.stringify(inserted);
      await changeRun(sql, id, input as RunChanges);
      return changes;
    });
    warnings?.add(await insertedVariableWarnings(this.database, id, inserted ?? []));
    return changed;
  }

  updateInsertedVariable(viewer: Viewer, id: number, input: InsertedVariableChange): Promise<ScenarioRun> {
    return this.#change(viewer, id, async sql => {
      const faults = new Faults();
      checkInsertedVariable(faults, '', input);
      const { inserted } = await queryBuilder<ScenarioRunTables>(sql)
        .selectFrom('scenario_run')
        .select('inserted_variables as inserted')
        .where('id', '=', id)
        .$castTo<{ inserted: InsertedVariable[] }>()
        .executeTakeFirstOrThrow();
      const element = inserted.find(each => each.id === input.id);
      if (!element) faults.add('id', DOES_NOT_EXIST);
      faults.throwIfAny();
      Object.assign(element!, {
        value: input.value,
        variable: input.variableId ?? element!.variable,
        variableName: input.variableNameId ?? element!.variableName,
      });
      return { inserted_variables: JSON.stringify(inserted) };
    });
  }

  updateVariable(viewer: Viewer, id: number, input: ScenarioRunVariableInput): Promise<ScenarioRun> {
    return this.#changePart(viewer, id, async parts => {
      const faults = await changeVariable(parts, input);
      const isWithoutValues = input.variableNames === undefined && input.value === undefined;
      if (isWithoutValues) faults.add('variableNames', 'This field is required.');
      return faults;
    });
  }

  updateMessage(viewer: Viewer, id: number, input: ScenarioRunMessageInput): Promise<ScenarioRun> {
    return this.#changePart(viewer, id, parts => changeMessage(parts, input));
  }

  /** Cancels a run. A run that has ended stays unchanged. */
  async cancel(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'scenario-run.cancel');
    await this.canceller.cancel(id);
    return this.load(id);
  }

  /** Cancels a run, deletes it with its copies, and returns its last state. Its ledger rows stay. */
  async delete(viewer: Viewer, id: number): Promise<ScenarioRun> {
    await locateScenarioRun(this.database, viewer, id, 'scenario-run.delete');
    await this.canceller.cancel(id);
    const run = await this.load(id);
    await queryBuilder<ScenarioRunTables>(this.database).deleteFrom('scenario_run').where('id', '=', id).execute();
    return run;
  }

  /** Reads a run. The caller has checked access. */
  load(id: number): Promise<ScenarioRun> {
    return readScenarioRun(this.database, id);
  }

  #changePart(viewer: Viewer, id: number, change: (parts: RunParts) => Promise<Faults>): Promise<ScenarioRun> {
    return this.#change(viewer, id, async sql => {
      const faults = await change(await RunParts.read(sql, id));
      faults.throwIfAny();
      return {};
    });
  }

  /** Changes a run that is not in progress. The row lock prevents workers from starting it in the meantime. */
  async #change(viewer: Viewer, id: number, change: (sql: Sql) => Promise<RunUpdate>): Promise<ScenarioRun> {
    await this.database.transaction(async sql => {
      const { status } = await locateScenarioRun(sql, viewer, id, 'scenario-run.update', { lock: true });
      if (status === ScenarioRunStatus.RUNNING)
        throw new ConflictError('The run is in progress. Change it before it starts or after it ends.');
      const changes = await change(sql);
      await queryBuilder<ScenarioRunTables>(sql)
        .updateTable('scenario_run')
        .set({ ...changes, updated_at: new Date() })
        .where('id', '=', id)
        .execute();
    });
    return this.load(id);
  }

  /** Finds the scenario or run to copy. An id without access is invalid input, so NOT_FOUND becomes BAD_USER_INPUT. */
  async #locateSource(viewer: Viewer, { scenarioId, scenarioRunId }: ScenarioRunStartInput): Promise<RunSource> {
    if (scenarioId != null)
      return notFoundToInputError('scenarioId', locateSource(this.database, viewer, { scenarioId }));
    if (scenarioRunId != null)
      return notFoundToInputError('scenarioRunId', locateSource(this.database, viewer, { scenarioRunId }));
    throw new InvalidInputError({ scenarioId: ['This field or scenariorun is required.'] });
  }
}

/** The changes that the setting `doRunDefault` of the earlier run makes ineffective. */
function ignoredChangeWarnings(input: ScenarioRunStartInput): Warning[] {
  const message = 'ignored, because the earlier run runs its scenario unchanged; send false to apply the changes';
  return (['messages', 'variables', 'insertedVariables'] as const)
    .filter(member => (input[member]?.length ?? 0) > 0)
    .map(path => ({ code: 'ignored_change', path, message }));
}
