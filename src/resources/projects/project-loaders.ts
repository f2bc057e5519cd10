import DataLoader from 'dataloader';
import type { RequestContext } from '../accounts/request-context.js';
import type { ProjectAccess } from './access.js';
import type { MemberRow, MemberService } from './member.service.js';
import type { ProjectRole } from './rights.js';

/** The viewer's role by project id, one query for all projects of a list. */
export function roleLoader(context: RequestContext, access: ProjectAccess): DataLoader<number, ProjectRole | null> {
  return context.loader('project.role', () => new DataLoader(ids => access.rolesIn(context.viewer, ids)));
}

/** Members by project id, one query for all projects of a list. */
export function memberLoader(context: RequestContext, members: MemberService): DataLoader<number, MemberRow[]> {
  return context.loader('project.members', () => new DataLoader(ids => members.ofProjects(ids)));
}
