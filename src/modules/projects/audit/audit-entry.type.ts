import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { TimeFilter } from '../../../platform/lists/time-filter.input.js';

@ObjectType({ description: 'One recorded action in the audit log. Entries never change.' })
export class AuditEntry {
  @Field(() => UUID, { description: 'The id of the entry. Unique; ids sort by time.' })
  id!: string;

  @Field(() => DateTime, { description: 'When the action happened.' })
  createdAt!: Date;

  @Field(() => String, { description: 'The name of the action, for example `member.add` or `workflow.delete`.' })
  action!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the user who performed the action. Null for operator commands.',
  })
  userId!: number | null;

  @Field(() => String, { nullable: true, description: 'The email of that user at the time of the action.' })
  userEmail!: string | null;

  @Field(() => String, { description: 'The kind of credentials: `key`, `jwt`, `service` or `operator`.' })
  via!: string;

  @Field(() => String, { nullable: true, description: 'The IP address of the client. Null for operator commands.' })
  address!: string | null;

  @Field(() => String, { description: 'The type of the changed object, for example `member`.' })
  objectType!: string;

  @Field(() => String, { description: 'The id of the changed object.' })
  objectId!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The project of the changed object. Null if the object belongs to no project.',
  })
  projectId!: number | null;

  /** Absent if the query did not select it. */
  detail?: unknown;
}

@InputType({ description: 'Filters audit log entries. All given conditions must match.' })
export class AuditFilter extends TimeFilter {
  @Field(() => String, {
    nullable: true,
    description: 'The exact name of the action, for example `workflow.delete`. At most 100 characters.',
  })
  action?: string | null;

  @Field(() => Int, { nullable: true, description: 'The id of the user who performed the action.' })
  user?: number | null;
}

@ObjectType({ description: 'One page of the audit log.' })
export class AuditEntryPage extends pageOf(AuditEntry) {}
