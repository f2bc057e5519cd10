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
const MAX_VALUE = 100_000;

/**
 * Replaces the stored named values by the values of a request. An element without an id keeps the id of the stored value
 * with the same name, so placeholders stay valid. Omitted members keep their stored content.
 */
export function mergeNames(stored: StoredNames, sent: readonly VariableNameInput[], faults: Faults): StoredNames {
  if (sent.length > MAX_NAMES) {
    faults.add('variableNames', `Ensure this list has no more than ${MAX_NAMES} values.`);
    return stored;
  }
  const claimed = new Set(sent.flatMap(element => element.id ?? []));
  let lastId = Math.max(stored.lastId, ...claimed);
  const taken = new Set<number>();
  const names = sent.map((element, index) => {
    const known = stored.names.find(name =>
      element.id == null ? name.name === element.name?.trim() && !claimed.has(name.id) : name.id === element.id,
    );
    const id = element.id ?? known?.id ?? ++lastId;
    // If two elements without an id have the same name, the second one becomes a new value.
    claimed.add(id);
    checkElement(element, id, `variableNames.${index}`, known === undefined, faults);
    if (taken.has(id)) faults.add(`variableNames.${index}.id`, 'Another value in this list has the same id.');
    taken.add(id);
    return {
      id,
      name: element.name?.trim() ?? known?.name ?? '',
      value: element.value ?? known?.value ?? '',
      isActive: element.isActive ?? known?.isActive ?? true,
    };
  });
  return { names, lastId };
}

function checkElement(element: VariableNameInput, id: number, at: string, isNew: boolean, faults: Faults): void {
  if (id < 1 || id > MAX_INTEGER) faults.add(`${at}.id`, `Ensure this value is between 1 and ${MAX_INTEGER}.`);
  if (element.name === undefined && isNew) faults.add(`${at}.name`, 'This field is required.');
  faults.text(`${at}.name`, element.name, { min: 1, max: 255 });
  if (element.value === null) faults.add(`${at}.value`, NOT_NULL);
  else faults.text(`${at}.value`, element.value, { max: MAX_VALUE });
}
