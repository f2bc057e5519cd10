import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Project } from '../project.js';

/** An invitation of an email address to a project. */
export const ProjectInvitationEntity = defineEntity({
  name: 'ProjectInvitation',
  tableName: 'project_invitation',
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('project_invitation_project_id_fkey'),
    email: p.text(),
    role: p.enum(['viewer', 'editor', 'admin']),
    invitedBy: () =>
      p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('project_invitation_invited_by_id_fkey'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    expiresAt: p.datetime(3),
  },
  indexes: [
    { name: 'project_invitation_by_expiry', properties: ['expiresAt'] },
    { name: 'project_invitation_by_inviter', properties: ['invitedBy'] },
    { name: 'project_invitation_of_email', properties: ['email', 'id'] },
  ],
  uniques: [{ name: 'project_invitation_project_id_email_key', properties: ['project', 'email'] }],
});
