import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { ProjectFileEntity } from './project-file.entity.js';

/** Tables that the module's queries use. */
export interface ProjectFileTables extends ProjectTables {
  project_file: Table<typeof ProjectFileEntity>;
}
