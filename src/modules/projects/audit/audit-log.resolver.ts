import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import type { ListPayloads } from '../../../platform/lists/list-payloads.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { AuditEntry, AuditEntryPage, AuditFilter } from './audit-entry.type.js';
import type { AuditLogService } from './audit-log.service.js';

@Resolver(() => AuditEntry)
export class AuditLogResolver {
  constructor(
    private readonly log: AuditLogService,
    private readonly payloads: ListPayloads<Required<Pick<AuditEntry, 'detail'>>>,
  ) {}

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

  @FieldResolver(() => Boolean, {
    description:
      'Whether the page left out its detail because it does not fit with those of the entries before it; a page of one entry has it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() entry: AuditEntry) {
    return !(await this.payloads.isWhole(context, entry));
  }

  @FieldResolver(() => JSONValue, {
    description: 'What changed, as an object; never holds a secret. `{}` where it is shortened.',
  })
  async detail(@Ctx() context: RequestContext, @Root() entry: AuditEntry) {
    return (await this.payloads.of(context, entry))?.detail ?? {};
  }
}
