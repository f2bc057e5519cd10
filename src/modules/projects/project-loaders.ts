import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { ProjectAccess } from './access.js';
import type { Project } from './project.js';
import { READ_PROJECTS } from './project-reads.js';
import type { ProjectRole } from './rights.js';

/** Loads the role of the viewer by project id, with one query for all projects of a list. */
export function roleLoader(context: RequestContext, access: ProjectAccess): DataLoader<number, ProjectRole | null> {
  return context.loader('project.role', () => new DataLoader(ids => access.rolesIn(context.viewer, ids)));
}

/** Loads a project that the viewer may read, with one query for all rows of a list. */
export async function projectOf(context: RequestContext, database: Database, id: number): Promise<Project> {
  const { userId, isAdmin } = context.viewer;
  const loader = context.loader(
    'project',
    () =>
      new DataLoader<number, Project | null>(async ids => {
        const rows = await READ_PROJECTS(database, { ids, userId, isAdmin });
        const byId = new Map(rows.map(row => [row.id, row as Project]));
        return ids.map(each => byId.get(each) ?? null);
      }),
  );
  const project = await loader.load(id);
  if (!project) throw new NotFoundError();
  return project;
}
