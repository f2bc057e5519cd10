import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { ProjectVariableEntity } from './project-variable.entity.js';

/** Tables that the module's queries use. */
export interface ProjectVariableTables extends ProjectTables {
  project_variable: Table<typeof ProjectVariableEntity>;
}

/** The context for which the value of a secret is sealed. */
export function sealContextOf(id: number): string {
  return `project_variable:sealed:${id}`;
}
