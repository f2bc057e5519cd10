import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { ApiDefinitionEntity } from './api-definition.entity.js';
import type { ApiOperationEntity } from './api-operation.entity.js';

/** Tables that the module's queries use. */
export interface ApiDefinitionTables extends ProjectTables {
  api_definition: Table<typeof ApiDefinitionEntity>;
  api_operation: Table<typeof ApiOperationEntity>;
}
