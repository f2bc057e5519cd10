import { isUniqueViolation } from '../../../platform/database/database-errors.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Faults } from '../../../platform/errors/fields.js';

/**
 * Checks the key of a variable, prompt or message: 1-255 characters. Keys are unique in the project, except for
 * copies of runs.
 */
export function checkKey(faults: Faults, key: string | undefined): void {
  faults.text('key', key, { min: 1, max: 255 });
}

/**
 * Runs a write and turns a violation of a unique key into InvalidInputError. The database constraint also
 * covers concurrent requests.
 */
export async function withUniqueKey<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // An example of a constraint is `message_project_id_key_unique`.
    if (isUniqueViolation(error) && String((error as { constraint?: unknown }).constraint).endsWith('_key_unique'))
      throw new InvalidInputError({ key: ['This key is taken.'] });
    throw error;
  }
}
