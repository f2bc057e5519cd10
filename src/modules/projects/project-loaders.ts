import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { entityOf } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { ProjectAccess } from './access.js';
import { Project } from './project.js';
import type { ProjectRole } from './rights.js';

/** The viewer's role by project id, one query for all projects of a list. */
export function roleLoader(context: RequestContext, access: ProjectAccess): DataLoader<number, ProjectRole | null> {
  return context.loader('project.role', () => new DataLoader(ids => access.rolesIn(context.viewer, ids)));
}

/** The project of a row that the viewer is known to see, one query for all rows of a list. */
export async function projectOf(context: RequestContext, database: Database, id: number): Promise<Project> {
  const project = await entityOf(context, database, Project, id);
  if (!project) throw new NotFoundError();
  return project;
}
