import type { Vault } from '../../platform/crypto/crypto.js';
import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { ProjectEnvironmentEntity } from './environments/project-environment.entity.js';
import type { ProjectVariableValueEntity } from './environments/project-variable-value.entity.js';
import type { ProjectVariableEntity } from './project-variable.entity.js';

/** Tables that the module's queries use. */
export interface ProjectVariableTables extends ProjectTables {
  project_variable: Table<typeof ProjectVariableEntity>;
  project_environment: Table<typeof ProjectEnvironmentEntity>;
  project_variable_value: Table<typeof ProjectVariableValueEntity>;
}

/** The context for which the value of a secret is sealed. */
export function sealContextOf(id: number): string {
  return `project_variable:sealed:${id}`;
}

/** The context for which the value of a secret in an environment is sealed. */
export function valueContextOf(variableId: number, environmentId: number): string {
  return `project_variable_value:sealed:${variableId}:${environmentId}`;
}

interface StoredValue {
  value: string | null;
  sealed: string | null;
}

/** The columns that hold a value: sealed for `context` if it is secret. */
export function storedValue(vault: Vault, value: string, isSecret: boolean, context: string): StoredValue {
  return isSecret ? { value: null, sealed: vault.seal(value, context) } : { value, sealed: null };
}

/** Reads what `storedValue` returned. */
export function openValue(vault: Vault, { value, sealed }: StoredValue, context: string): string {
  return sealed === null ? (value ?? '') : vault.open(sealed, context);
}
