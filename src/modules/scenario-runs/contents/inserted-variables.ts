import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Faults } from '../../../platform/errors/fields.js';
import type { Warning } from '../../../platform/requests/warnings.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import type { InsertedVariable, InsertedVariableChange, InsertedVariableInput } from './inserted-variable.type.js';

const MAX_INSERTED_VARIABLES = 1_000;
const MAX_VALUE_CHARACTERS = 100_000;

/** Validates a list of inserted variables. Elements without an id get new ids above the greatest one. */
export function parseInsertedVariables(input: readonly InsertedVariableInput[], faults: Faults): InsertedVariable[] {
  if (input.length > MAX_INSERTED_VARIABLES) {
    faults.add('insertedVariables', `Ensure this list has no more than ${MAX_INSERTED_VARIABLES} values.`);
    return [];
  }
  let lastId = Math.max(0, ...input.map(({ id }) => id ?? 0));
  const usedIds = new Set<number>();
  return input.map((element, index) => {
    const { variableId: variable, variableNameId: variableName, value } = element;
    const id = element.id ?? ++lastId;
    const path = `insertedVariables.${index}`;
    faults.integer(`${path}.id`, id, { min: 1, max: MAX_INTEGER });
    if (usedIds.has(id)) faults.add(`${path}.id`, 'Another value in this list has the same id.');
    usedIds.add(id);
    checkInsertedVariable(faults, `${path}.`, element);
    return { id, variable, variableName, value };
  });
}

/** Validates an inserted variable. `prefix` precedes the member names in faults: empty, or ending in a dot. */
export function checkInsertedVariable(
  faults: Faults,
  prefix: string,
  { variableId: variable, variableNameId: variableName, value }: Omit<InsertedVariableChange, 'id'>,
): void {
  faults.integer(`${prefix}variableId`, variable, { min: 1, max: MAX_INTEGER });
  faults.integer(`${prefix}variableNameId`, variableName, { min: 1, max: MAX_INTEGER });
  faults.text(`${prefix}value`, value, { max: MAX_VALUE_CHARACTERS });
}

/**
 * Warns of inserted values whose variable or named value the run has no copy of. They are no faults, because such a value still
 * serves a placeholder that names the same ids.
 */
export async function insertedVariableWarnings(
  sql: Sql,
  runId: number,
  inserted: readonly InsertedVariable[],
): Promise<Warning[]> {
  if (inserted.length === 0) return [];
  const copies = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('variable')
    .select(['id', 'original_id as originalId', 'variable_names as names'])
    .where('scenariorun_id', '=', runId)
    .execute();
  const namesById = new Map(
    copies.flatMap(({ id, originalId, names }) => [id, originalId].map(each => [each, names] as const)),
  );
  return inserted.flatMap(({ variable, variableName }, index) => {
    const names = namesById.get(variable);
    if (names?.some(({ id }) => id === variableName)) return [];
    const member = names ? 'variableNameId' : 'variableId';
    const what = names ? 'The variable has no named value' : 'The run has no variable';
    const message = `${what} with this id. The value has an effect only where a placeholder names these ids.`;
    return [{ code: 'unknown_reference', path: `insertedVariables.${index}.${member}`, message }];
  });
}
