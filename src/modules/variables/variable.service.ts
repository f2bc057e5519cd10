import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import type { Page, PageArgs } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { checkKey, withUniqueKey } from '../projects/parts/part-keys.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import { locateProjectPart, PART_POSITIONS } from '../projects/parts/scenario-parts.js';
import { writeKeywordValues } from './keyword-values.js';
import type { VariableCreateInput, VariableFilter, VariableUpdateInput } from './variable.inputs.js';
import type { Variable } from './variable.js';
import { mergeNames } from './variable-names.js';
import { VARIABLE_LIST, VARIABLE_READS } from './variable-reads.js';
import type { VariableTables } from './variable-tables.js';

const POSITIONS = PART_POSITIONS.variable;

/** Lists and changes variables. Every method authorizes the viewer. */
export class VariableService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Lists the variables of the viewer's projects, ordered by project and position. `selected`: the names of the members that the caller reads. */
  list(
    viewer: Viewer,
    filter: VariableFilter | null | undefined,
    page: PageArgs,
    selected?: ReadonlySet<string>,
  ): Promise<Page<Variable>> {
    return VARIABLE_LIST.page(this.database, viewer, filter, page, selected);
  }

  get(viewer: Viewer, id: number): Promise<Variable> {
    return VARIABLE_READS.get(this.database, viewer, id);
  }

  async create(viewer: Viewer, input: VariableCreateInput): Promise<Variable> {
    await this.access.authorizeNamed(viewer, input.projectId, 'variable.create');
    const faults = inputFaults(input);
    const { names, lastId } = mergeNames({ names: [], lastId: 0 }, input.variableNames, faults);
    faults.throwIfAny();
    const id = await withUniqueKey(() =>
      this.database.transaction(async sql => {
        if (input.keywordRunId != null) await lockKeywordRun(sql, input.keywordRunId, input.projectId);
        const sortId = await POSITIONS.next(sql, input.projectId);
        const { id } = await queryBuilder<VariableTables>(sql)
          .insertInto('variable')
          .values({
            ...{ project_id: input.projectId, key: input.key.trim(), sort_id: sortId },
            ...{ variable_names: JSON.stringify(names), last_name_id: lastId, is_global: input.isGlobal ?? false },
            ...{ keywordrun_id: input.keywordRunId ?? null, keywordrun_mode: input.keywordRunMode ?? null },
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (input.keywordRunId != null)
          await writeKeywordValues(sql, [id], input.keywordRunId, input.keywordRunMode ?? null);
        return id;
      }),
    );
    return VARIABLE_READS.load(this.database, id);
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: VariableUpdateInput): Promise<Variable> {
    const { projectId } = await locateProjectPart(this.database, 'variable', viewer, id, 'variable.update');
    const faults = inputFaults(input);
    await withUniqueKey(() =>
      this.database.transaction(async sql => {
        // Lock order, the same as for changes of keywords: first the keyword run, then the variables that use it.
        if (input.keywordRunId != null) await lockKeywordRun(sql, input.keywordRunId, projectId);
        await locateProjectPart(sql, 'variable', viewer, id, 'variable.update', { lock: true });
        const tables = queryBuilder<VariableTables>(sql);
        const changes: Updateable<VariableTables['variable']> = { updated_at: new Date() };
        if (input.variableNames !== undefined) {
          const stored = await tables
            .selectFrom('variable')
            .select(['variable_names as names', 'last_name_id as lastId'])
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          if (input.variableNames === null) faults.add('variableNames', NOT_NULL);
          else {
            const { names, lastId } = mergeNames(stored, input.variableNames, faults);
            Object.assign(changes, { variable_names: JSON.stringify(names), last_name_id: lastId });
          }
        }
        faults.throwIfAny();
        if (input.key !== undefined) changes.key = input.key.trim();
        if (input.isGlobal !== undefined) changes.is_global = input.isGlobal ?? false;
        if (input.keywordRunId !== undefined) changes.keywordrun_id = input.keywordRunId;
        if (input.keywordRunMode !== undefined) changes.keywordrun_mode = input.keywordRunMode;
        await tables.updateTable('variable').set(changes).where('id', '=', id).execute();
        await this.#refreshKeywordValues(sql, id, input);
      }),
    );
    return VARIABLE_READS.load(this.database, id);
  }

  /** Deletes a variable and returns its last state. Placeholders that refer to it stay, and no longer resolve. */
  async delete(viewer: Viewer, id: number): Promise<Variable> {
    const { projectId } = await locateProjectPart(this.database, 'variable', viewer, id, 'variable.delete');
    const variable = await VARIABLE_READS.load(this.database, id);
    await this.database.transaction(sql =>
      POSITIONS.remove(sql, projectId, () => locateProjectPart(sql, 'variable', viewer, id, 'variable.delete')),
    );
    return variable;
  }

  async reorder(viewer: Viewer, id: number, target: number): Promise<Variable> {
    const { projectId } = await locateProjectPart(this.database, 'variable', viewer, id, 'variable.reorder');
    await this.database.transaction(sql =>
      POSITIONS.move(sql, projectId, target, () => locateProjectPart(sql, 'variable', viewer, id, 'variable.reorder')),
    );
    return VARIABLE_READS.load(this.database, id);
  }

  /** A variable with a keyword run always has the values of that run. They replace other values in the input. */
  async #refreshKeywordValues(sql: Sql, id: number, input: VariableUpdateInput): Promise<void> {
    const { keywordRunId, keywordRunMode, variableNames } = input;
    if (keywordRunId === undefined && keywordRunMode === undefined && variableNames === undefined) return;
    const { runId, mode, scenarioRunId } = await queryBuilder<VariableTables>(sql)
      .selectFrom('variable')
      .select(['keywordrun_id as runId', 'keywordrun_mode as mode', 'scenariorun_id as scenarioRunId'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (runId !== null && scenarioRunId === null) await writeKeywordValues(sql, [id], runId, mode);
  }
}

function inputFaults(input: VariableUpdateInput): Faults {
  const faults = new Faults();
  checkKey(faults, input.key);
  return faults;
}

/** Checks that the project has the keyword run, and locks it against changes until the transaction ends. */
async function lockKeywordRun(sql: Sql, runId: number, projectId: number): Promise<void> {
  const run = await queryBuilder<VariableTables>(sql)
    .selectFrom('keyword_run')
    .select('id')
    .where('id', '=', runId)
    .where('project_id', '=', projectId)
    .forShare()
    .executeTakeFirst();
  if (!run) throw new InvalidInputError({ keywordRunId: [DOES_NOT_EXIST] });
}
