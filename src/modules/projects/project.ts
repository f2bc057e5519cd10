import type { Opt } from '@mikro-orm/core';
import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NonColumn } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { TextArray } from '../../platform/sql/text-array.js';
import { PublishCheckRequirement } from './publish-check-requirement.js';
import type { ProjectRole } from './rights.js';

@ObjectType({ description: 'The container of work. Workflows, runs, members and spending belong to one project.' })
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
  @Field(() => Int, { description: 'The id of the project. Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The name of the project, 1-255 characters.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'The URL that receives the webhooks of the project. Empty if unset.' })
  @Property({ type: 'text' })
  webhookUrl: string & Opt = '';

  @Field(() => Boolean, { description: 'Whether webhooks are sent to `webhookUrl`.' })
  @Property({ type: 'boolean' })
  isWebhookEnabled: boolean & Opt = false;

  @Field(() => Boolean, {
    description:
      'Whether saving a workflow changes only its draft. New runs use the published revision. `projectDraftsSet` changes it.',
  })
  @Property({ type: 'boolean' })
  usesDrafts: boolean & Opt = false;

  @Field(() => PublishCheckRequirement, {
    description:
      'The check that a revision must pass before it is published. Revisions that were published before need none. `projectPublishCheckSet` changes it.',
  })
  @Enum({ items: () => Object.values(PublishCheckRequirement), type: 'string' })
  publishRequirement: PublishCheckRequirement & Opt = PublishCheckRequirement.NONE as PublishCheckRequirement & Opt;

  /** Absent in lists, which do not select them because there may be many. */
  @Property({ type: TextArray, columnType: 'text[]', lazy: true, defaultRaw: `'{}'` })
  stopwords?: string[] & Opt = [];

  /** The role of the viewer, if the query selected it. */
  viewersRole?: NonColumn<ProjectRole>;

  /** Whether the project has provider keys, if the query selected it. */
  hasProviderKeys?: NonColumn<boolean>;

  /** The sum of the ledger of the project in US dollars. The statement that inserts ledger rows updates it. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  totalSpentUsd: string & Opt = '0';

  /** The sum of the commissions credited to the project, in US dollars. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  totalEarnedUsd: string & Opt = '0';

  /** The spending limit in US dollars. Null: no limit. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  budgetUsd: (string & Opt) | null = null;

  /** The sum of the reservations of the project: the maximum cost of calls in progress, in US dollars. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  reservedUsd: string & Opt = '0';

  /**
   * The operator's limit on spending with provider keys of the service, in US dollars. Null: the configured
   * default.
   */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  serviceLimitUsd: (string & Opt) | null = null;

  /** The amount spent with provider keys of the service, in US dollars. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceSpentUsd: string & Opt = '0';

  /**
   * The maximum cost of calls in progress with provider keys of the service, in US dollars. Counted only if a
   * limit applies.
   */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceReservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the project was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the project was last changed by a user.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Date & Opt = new Date();
}
