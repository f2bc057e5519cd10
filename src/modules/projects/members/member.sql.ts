import type { NestedList } from '../../../platform/lists/nested-page.js';
import type { MemberRow } from './project-member.js';

/** The members of each project of a list. Raw, because one lateral statement reads the pages of all projects. */
export const MEMBERS_OF_PROJECTS: NestedList<MemberRow> = {
  name: 'project.members',
  parent: 'int',
  columns:
    'm.id, m.project_id as "projectId", m.user_id as "userId", u.email, u.name, m.role, m.created_at as "createdAt"',
  from: 'project_member m join app_user u on u.id = m.user_id where m.project_id = parent.id',
  order: 'm.id',
};
