import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import { ConnectionArguments } from '../../../platform/lists/connection.args.js';
import type { ListPayloads } from '../../../platform/lists/list-payloads.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { AuditDetail } from './audit-detail.type.js';
import { toAuditDetails } from './audit-details.js';
import { AuditEntry, AuditEntryConnection, AuditEntryPage, AuditFilter } from './audit-entry.type.js';
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
      'The audit log, newest first. The log of a project requires the role admin in it. The log of the service requires an administrator.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'Lists only the actions in this project. Default: all actions of the service.',
    })
    projectId: number | null,
    @Arg('filter', () => AuditFilter, {
      nullable: true,
      description: 'Conditions that listed entries match. Default: all entries.',
    })
    filter: AuditFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.log.list(viewer, projectId ?? null, filter, page);
  }

  @Query(() => AuditEntryConnection, {
    name: 'auditLogConnection',
    description: 'The entries of `auditLog`, selected by cursors instead of pages. The same roles are required.',
  })
  connection(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'Lists only the actions in this project. Default: all actions of the service.',
    })
    projectId: number | null,
    @Arg('filter', () => AuditFilter, {
      nullable: true,
      description: 'Conditions that listed entries match. Default: all entries.',
    })
    filter: AuditFilter | null,
    @Args(() => ConnectionArguments) args: ConnectionArguments,
  ) {
    return this.log.connection(viewer, projectId ?? null, filter, args);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the page omits `detail` and `details` because the page would exceed its size limit. Query a page of size 1 to read it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() entry: AuditEntry) {
    return !(await this.payloads.isWhole(context, entry));
  }

  @FieldResolver(() => JSONValue, {
    description: 'The details of the action as an object, without secrets. `{}` if `isShortened` is true.',
  })
  async detail(@Ctx() context: RequestContext, @Root() entry: AuditEntry) {
    return (await this.payloads.of(context, entry))?.detail ?? {};
  }

  @FieldResolver(() => [AuditDetail], {
    description:
      'The values of `detail` with their paths, in their order. At most 200. Empty if `isShortened` is true or the action has no details.',
  })
  async details(@Ctx() context: RequestContext, @Root() entry: AuditEntry): Promise<AuditDetail[]> {
    return toAuditDetails((await this.payloads.of(context, entry))?.detail ?? {});
  }
}
