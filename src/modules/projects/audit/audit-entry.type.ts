import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { TimeFilter } from '../../../platform/lists/time-filter.input.js';

@ObjectType({ description: 'One thing that somebody did. Entries are never changed.' })
export class AuditEntry {
  @Field(() => UUID, { description: 'Unique; sorts by time.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was done.' })
  createdAt!: Date;

  @Field(() => String, { description: 'What was done, for example `member.add` or `workflow.delete`.' })
  action!: string;

  @Field(() => Int, { nullable: true, description: 'Who did it; null for the operator at the command line.' })
  userId!: number | null;

  @Field(() => String, { nullable: true, description: 'The email of who did it, as it was then.' })
  userEmail!: string | null;

  @Field(() => String, { description: 'With what credentials: `key`, `jwt`, `service` or `operator`.' })
  via!: string;

  @Field(() => String, { nullable: true, description: 'The IP address that the request came from.' })
  address!: string | null;

  @Field(() => String, { description: 'What kind of thing it was done to, for example `member`.' })
  objectType!: string;

  @Field(() => String, { description: 'The id of that thing.' })
  objectId!: string;

  @Field(() => Int, { nullable: true, description: 'The project that it belongs to.' })
  projectId!: number | null;

  /** Absent where the statement that read the entry left it out. */
  detail?: unknown;
}

@InputType({ description: 'Which entries of the log to list. All that is given must hold.' })
export class AuditFilter extends TimeFilter {
  @Field(() => String, { nullable: true, description: 'What was done, such as `workflow.delete`.' })
  action?: string | null;

  @Field(() => Int, { nullable: true, description: 'The user who did it.' })
  user?: number | null;
}

@ObjectType({ description: 'One page of the audit log.' })
export class AuditEntryPage extends pageOf(AuditEntry) {}
