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
