import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectInvitationEntity } from './members/project-invitation.entity.js';
import type { ProjectMember } from './members/project-member.js';
import type { Project } from './project.js';

export interface ProjectTables {
  project: Table<Project>;
  project_member: Table<ProjectMember>;
  project_invitation: Table<typeof ProjectInvitationEntity>;
}
