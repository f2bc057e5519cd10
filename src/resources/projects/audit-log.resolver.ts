import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PageArguments } from '../../base/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { AuditEntry, AuditEntryPage, AuditFilter } from './audit-entry.type.js';
import type { AuditLogService } from './audit-log.service.js';

@Resolver(() => AuditEntry)
export class AuditLogResolver {
  constructor(private readonly log: AuditLogService) {}

  @Query(() => AuditEntryPage, {
    name: 'auditLog',
    description:
      'What was done, newest first. A project’s log needs the role admin; the whole log is for administrators.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'A project: what was done to it and in it.' })
    projectId: number | null,
    @Arg('filter', () => AuditFilter, { nullable: true, description: 'Which entries.' })
    filter: AuditFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.log.list(viewer, projectId ?? null, filter, page);
  }
}
