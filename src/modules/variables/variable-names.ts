import type { Faults } from '../../platform/errors/fields.js';
import { NOT_NULL } from '../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import type { VariableName, VariableNameInput } from './variable-name.type.js';

/** The named values of a variable. `lastId` is the greatest id ever used, so that ids are never reused. */
export interface StoredNames {
  names: VariableName[];
  lastId: number;
}

const MAX_NAMES = 1_000;
export const MAX_VALUE_CHARACTERS = 100_000;

/**
 * Replaces the stored named values by the values of a request. An element without an id keeps the id of the stored
 * value with the same name, so placeholders stay valid. Omitted members keep their stored content.
 */
export function mergeNames(stored: StoredNames, input: readonly VariableNameInput[], faults: Faults): StoredNames {
  if (input.length > MAX_NAMES) {
    faults.add('variableNames', `Ensure this list has no more than ${MAX_NAMES} values.`);
    return stored;
  }
  const requestedIds = new Set(input.flatMap(element => element.id ?? []));
  let lastId = Math.max(stored.lastId, ...requestedIds);
  const usedIds = new Set<number>();
  const names = input.map((element, index) => {
    const storedName = stored.names.find(name =>
      element.id == null ? name.name === element.name?.trim() && !requestedIds.has(name.id) : name.id === element.id,
    );
    const id = element.id ?? storedName?.id ?? ++lastId;
    // If two elements without an id have the same name, the second one becomes a new value.
    requestedIds.add(id);
    checkElement(element, id, `variableNames.${index}`, storedName === undefined, faults);
    if (usedIds.has(id)) faults.add(`variableNames.${index}.id`, 'Another value in this list has the same id.');
    usedIds.add(id);
    return {
      id,
      name: element.name?.trim() ?? storedName?.name ?? '',
      value: element.value ?? storedName?.value ?? '',
      isActive: element.isActive ?? storedName?.isActive ?? true,
    };
  });
  return { names, lastId };
}

function checkElement(element: VariableNameInput, id: number, path: string, isNew: boolean, faults: Faults): void {
  if (id < 1 || id > MAX_INTEGER) faults.add(`${path}.id`, `Ensure this value is between 1 and ${MAX_INTEGER}.`);
  if (element.name === undefined && isNew) faults.add(`${path}.name`, 'This field is required.');
  faults.text(`${path}.name`, element.name, { min: 1, max: 255 });
  if (element.value === null) faults.add(`${path}.value`, NOT_NULL);
  else faults.text(`${path}.value`, element.value, { max: MAX_VALUE_CHARACTERS });
}
