import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Faults } from '../../../platform/errors/fields.js';

/** Keys of variables, prompts and messages: 1-255 characters, unique among those of the project that no run made. */
export function checkKey(faults: Faults, key: string | undefined): void {
  faults.text('key', key, { min: 1, max: 255 });
}

/** The database keeps keys unique, also against somebody who asks at the same time; its refusal is bad input. */
export async function withUniqueKey<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    if (code === '23505' && String(constraint).endsWith('_key_unique'))
      throw new InvalidInputError({ key: ['This key is taken.'] });
    throw error;
  }
}
