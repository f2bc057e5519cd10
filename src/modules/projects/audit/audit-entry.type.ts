import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { connectionOf, edgeOf } from '../../../platform/lists/connection.type.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { TimeFilter } from '../../../platform/lists/time-filter.input.js';

/** The kinds of `Viewer.via`. */
export enum AuditCredentials {
  API_KEY = 'key',
  SESSION = 'jwt',
  SERVICE = 'service',
  OPERATOR = 'operator',
}
registerEnumType(AuditCredentials, {
  name: 'AuditCredentials',
  description: 'The kind of credentials with which an action was performed.',
  valuesConfig: {
    API_KEY: { description: 'An API key.' },
    SESSION: { description: 'The session of a user who is logged in.' },
    SERVICE: { description: 'The service token of an external execution service.' },
    OPERATOR: { description: 'A command of the operator, or the service itself.' },
  },
});

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

  @Field(() => AuditCredentials, { description: 'The kind of credentials.' })
  via!: `${AuditCredentials}`;

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
  userId?: number | null;
}

@ObjectType({ description: 'One page of the audit log.' })
export class AuditEntryPage extends pageOf(AuditEntry) {}

@ObjectType({ description: 'An entry of the audit log with its cursor.' })
export class AuditEntryEdge extends edgeOf(AuditEntry) {}

@ObjectType({ description: 'A part of the audit log, selected by cursors.' })
export class AuditEntryConnection extends connectionOf(AuditEntry, AuditEntryEdge) {}
