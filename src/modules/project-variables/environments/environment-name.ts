/** The environment of runs that name none. Its values are stored with the variables. */
export const DEFAULT_ENVIRONMENT = 'production';

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
