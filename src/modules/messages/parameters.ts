import { isObject } from '../../engine/json-value.js';
import { type Faults, isUnstorableJson } from '../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';

const MAX_DEPTH = 20;
const MAX_LENGTH = 20_000;
const FIELD = 'parameters';

/** The parameters with the same meaning for every provider, with their limits. All others pass through unchecked. */
const COMMON_PARAMETERS: Record<string, { isValid: (value: unknown) => boolean; fault: string }> = {
  model_name: {
    isValid: value => typeof value === 'string' && value.length <= 255,
    fault: 'Must be a text of at most 255 characters.',
  },
  temperature: { isValid: value => isBetween(value, 0, 2), fault: 'Must be a number between 0 and 2.' },
  top_p: { isValid: value => isBetween(value, 0, 1), fault: 'Must be a number between 0 and 1.' },
  max_tokens: {
    isValid: value => Number.isInteger(value) && isBetween(value, 1, MAX_INTEGER),
    fault: 'Must be an integer of 1 or more.',
  },
};

export function checkParameters(faults: Faults, parameters: unknown): void {
  if (parameters === undefined || parameters === null) return;
  if (!isObject(parameters)) return faults.add(FIELD, 'Expected an object.');
  if (isUnstorableJson(parameters, MAX_DEPTH))
    return faults.add(
      FIELD,
      `Must be nested at most ${MAX_DEPTH} levels deep, without null characters, lone surrogates and infinite numbers.`,
    );
  if (JSON.stringify(parameters).length > MAX_LENGTH)
    return faults.add(FIELD, `Ensure this field has no more than ${MAX_LENGTH} characters.`);
  for (const [name, { isValid, fault }] of Object.entries(COMMON_PARAMETERS)) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : null;
    if (value !== null && !isValid(value)) faults.add(`${FIELD}.${name}`, fault);
  }
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
