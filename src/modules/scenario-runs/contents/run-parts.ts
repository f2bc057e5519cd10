import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Faults } from '../../../platform/errors/fields.js';
import { DOES_NOT_EXIST } from '../../projects/parts/part-scope.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** The tables of the parts that a run copies. */
export type CopiedTable = 'message' | 'prompt' | 'variable';

/** A copy of a part. `originalId` is the id of the first original. */
export interface RunPart {
  id: number;
  originalId: number | null;
  key: string;
}

/** The columns that identify a copy. The three tables have the same names for them. */
export type CopiedColumns = Pick<
  ScenarioRunTables['message' | 'prompt' | 'variable'],
  'id' | 'scenariorun_id' | 'original_id' | 'key' | 'sort_id'
> & { scenariorun_id: number };

/** The copies of a run, found by their own id, by the id of the original or by key. */
export class RunParts {
  private constructor(
    readonly sql: Sql,
    private readonly parts: Record<CopiedTable, RunPart[]>,
  ) {}

  static async read(sql: Sql, runId: number): Promise<RunParts> {
    const message = await readParts(sql, 'message', runId);
    const prompt = await readParts(sql, 'prompt', runId);
    const variable = await readParts(sql, 'variable', runId);
    return new RunParts(sql, { message, prompt, variable });
  }

  /** Finds a copy by its own id or the id of its original. Adds a fault at `field` if there is none. */
  find(table: CopiedTable, id: number, field: string, faults: Faults): RunPart | undefined {
    const part = this.parts[table].find(each => each.id === id || each.originalId === id);
    if (!part) faults.add(field, DOES_NOT_EXIST);
    return part;
  }

  /** Finds the copy that a change refers to: by id if there is one, with `key` as the new key; otherwise by key. */
  findForChange(
    table: 'message' | 'variable',
    { id, key }: { id?: number | null; key?: string },
    faults: Faults,
  ): RunPart | undefined {
    const byKey = this.parts[table].find(each => each.key === key?.trim());
    if (id === undefined || id === null) {
      if (!byKey)
        faults.add(key == null ? 'id' : 'key', key == null ? 'This field or key is required.' : DOES_NOT_EXIST);
      return byKey;
    }
    const part = this.find(table, id, 'id', faults);
    if (part && byKey && byKey !== part) faults.add('key', 'This key is taken.');
    return part;
  }
}

function readParts(sql: Sql, table: CopiedTable, runId: number): Promise<RunPart[]> {
  return queryBuilder<Record<CopiedTable, CopiedColumns>>(sql)
    .selectFrom(table)
    .select(['id', 'original_id as originalId', 'key'])
    .where('scenariorun_id', '=', runId)
    .orderBy('sort_id')
    .orderBy('id')
    .execute();
}
