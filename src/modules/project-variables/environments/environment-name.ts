import { storable } from '../../../engine/storable.js';

/** The environment of runs that name none. Its values are stored with the variables. */
export const DEFAULT_ENVIRONMENT = 'production';

const MAX_CHARACTERS = 32;
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

export const ENVIRONMENT_NAME_RULE =
  'Enter 1-32 lower-case letters, digits, hyphens and underscores that begin with a letter.';

export function isEnvironmentName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the stored form of an environment. Null: the default one. */
export function toStoredEnvironment(name: string | null | undefined): string | null {
  return name == null || name === '' || name === DEFAULT_ENVIRONMENT ? null : name;
}

/**
 * Returns an unknown name in the form in which a refused run stores it. A name that is not valid stays so: one character too
 * many is kept.
 */
export function toRefusedEnvironment(name: string): string {
  return storable(name.slice(0, MAX_CHARACTERS + 1));
}
