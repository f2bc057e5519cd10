import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NotStored } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { TextArray } from '../../platform/sql/text-array.js';
import type { ProjectRole } from './rights.js';

@ObjectType({ description: 'Where work is organised: workflows, runs, members and spending belong to one project.' })
@Entity({ tableName: 'project' })
@Index({
  name: 'project_by_age',
  columns: [
    { name: 'createdAt', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
})
@Index({ name: 'project_by_name', properties: ['name', 'id'] })
export class Project {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The project’s name, 1-255 characters.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'Where webhooks of the project go; empty when unset.' })
  @Property({ type: 'text' })
  webhookUrl: string & Opt = '';

  @Field(() => Boolean, { description: 'Whether webhooks are sent to `webhookUrl`.' })
  @Property({ type: 'boolean' })
  isWebhookEnabled: boolean & Opt = false;

  /** Absent where the statement that read the project left them out: they may be many. */
  @Property({ type: TextArray, columnType: 'text[]', lazy: true, defaultRaw: `'{}'` })
  stopwords?: string[] & Opt = [];

  /** The viewer's role, where the statement that read the project told it. */
  viewersRole?: NotStored<ProjectRole>;

  /** Whether provider keys are attached to it, where that statement told it. */
  hasProviderKeys?: NotStored<boolean>;

  /** Sum of the project's ledger, moved by the statement that writes a billing transaction. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  totalSpentUsd: string & Opt = '0';

  /** Sum of the commissions credited to the project. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  totalEarnedUsd: string & Opt = '0';

  /** The spending limit; null: none. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  budgetUsd: (string & Opt) | null = null;

  /** Sum of the project's reservations: what calls under way may cost at most. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  reservedUsd: string & Opt = '0';

  /** The operator's limit on spending with provider keys of the service; null: the configured default. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  serviceLimitUsd: (string & Opt) | null = null;

  /** What was spent with them. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceSpentUsd: string & Opt = '0';

  /** What calls under way with them may cost at most, where a limit holds. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceReservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the project was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the project was last changed by a user.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Date & Opt = new Date();
}
