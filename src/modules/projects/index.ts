import { HOURLY } from '../../durable/scheduled-tasks.js';
import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { ProjectAccess } from './access.js';
import type { AuditEntry } from './audit/audit-entry.type.js';
import { AuditLogResolver } from './audit/audit-log.resolver.js';
import { AuditLogService } from './audit/audit-log.service.js';
import { InvitationResolver } from './members/invitation.resolver.js';
import { InvitationService } from './members/invitation.service.js';
import { InvitationRetention } from './members/invitation-retention.js';
import { MemberResolver } from './members/member.resolver.js';
import { MemberService } from './members/member.service.js';
import { ProjectInvitationEntity } from './members/project-invitation.entity.js';
import { ProjectMember } from './members/project-member.js';
import { Project } from './project.js';
import { ProjectResolver } from './project.resolver.js';
import { ProjectService } from './project.service.js';

/** Projects, their members and invitations, the rights of roles, and the audit log. */
export const projects = defineModule({
  name: 'projects',
  needs: { accounts },
  entities: [Project, ProjectMember, ProjectInvitationEntity],
  resolvers: [ProjectResolver, MemberResolver, InvitationResolver, AuditLogResolver],
  create({ database, currencies, pageBytes }) {
    const access = new ProjectAccess(database);
    const stopwords = new ListPayloads<Required<Pick<Project, 'stopwords'>>>(database, pageBytes, {
      table: 'project',
      columns: { stopwords: 'stopwords' },
    });
    const auditDetails = new ListPayloads<Required<Pick<AuditEntry, 'detail'>>>(database, pageBytes, {
      table: 'audit_entry',
      key: { column: 'id', type: 'uuid', member: 'id' },
      columns: { detail: 'detail' },
    });
    const projects = new ProjectService(database, access, currencies);
    const members = new MemberService(database, access);
    const invitationRetention = new InvitationRetention(database);
    return {
      services: { access, projects },
      resolvers: [
        new ProjectResolver(projects, access, stopwords),
        new MemberResolver(members),
        new InvitationResolver(new InvitationService(database, access, members)),
        new AuditLogResolver(new AuditLogService(database, access), auditDetails),
      ],
      scheduledTasks: [{ name: 'clearing invitations', cron: HOURLY, run: () => invitationRetention.run() }],
    };
  },
});
