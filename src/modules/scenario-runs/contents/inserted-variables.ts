import type { Faults } from '../../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';
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
