import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NonColumn } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { TextArray } from '../../platform/sql/text-array.js';
import { User } from '../accounts/users/user.js';
import { Category } from '../categories/category.js';
import { Subcategory } from '../categories/subcategory.js';
import { Project } from '../projects/project.js';
import type { ProjectRole } from '../projects/rights.js';

const NEWEST_FIRST: { name: string; sort: 'desc' }[] = [
  { name: 'createdAt', sort: 'desc' },
  { name: 'id', sort: 'desc' },
];

@ObjectType({
  description: 'A graph of nodes that can be run. Each change of the graph creates a new revision.',
})
@Entity({ tableName: 'workflow' })
@Index({ properties: ['project', 'sortId'] })
@Index({ name: 'workflow_archived', properties: ['archivedAt'], where: 'archived_at is not null' })
@Index({ name: 'workflow_of_market_terms', properties: ['marketTermsId'], where: 'market_terms_id is not null' })
@Index({ name: 'workflow_catalog_by_age', columns: NEWEST_FIRST, where: 'archived_at is null' })
@Index({ name: 'workflow_published_by_age', columns: NEWEST_FIRST, where: 'is_published' })
@Index({ name: 'workflow_published_by_date', properties: ['publishedAt'], where: 'is_published' })
@Index({
  name: 'workflow_published_by_title',
  expression:
    'create index workflow_published_by_title on workflow using gin (market_title gin_trgm_ops) where is_published',
})
@Index({
  name: 'workflow_published_in_languages',
  properties: ['availableLanguages'],
  type: 'gin',
  where: 'is_published',
})
@Index({
  name: 'workflow_published_of_category',
  expression:
    'create index workflow_published_of_category on workflow (category_id, created_at desc, id desc) where is_published',
})
@Index({
  name: 'workflow_published_of_subcategory',
  expression:
    'create index workflow_published_of_subcategory on workflow (subcategory_id, created_at desc, id desc) where is_published',
})
export class Workflow {
  @Field(() => Int, { description: 'Unique id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** Foreign keys, read with the row. */
  projectId!: NonColumn<number>;
  categoryId!: NonColumn<number> | null;
  subcategoryId!: NonColumn<number> | null;
  copiedFromId!: NonColumn<number> | null;

  /** Role of the viewer in the project; undefined when the query did not select it. */
  viewersRole?: NonColumn<ProjectRole>;

  @ManyToOne(() => User, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  createdBy: Ref<User> | null = null;

  @Field(() => String, { description: 'Title of the workflow, 1-255 characters.' })
  @Property({ type: 'text' })
  title!: string;

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => String, { description: 'Title on the marketplace, at most 255 characters. Required to publish.' })
  @Property({ type: 'text' })
  marketTitle: string & Opt = '';

  @Field(() => String, {
    description: 'Summary for the marketplace, at most 2,000 characters. Required to publish.',
  })
  @Property({ type: 'text' })
  shortDescription: string & Opt = '';

  @Property({ type: 'text', lazy: true })
  readmeGuide: string & Opt = '';

  @Field(() => [String], {
    description: 'Language codes, at most 100, for example `["en", "pt-BR"]`. Required to publish.',
  })
  @Property({ type: TextArray, columnType: 'text[]', defaultRaw: `'{}'` })
  availableLanguages: string[] & Opt = [];

  @Field(() => Int, { description: 'Fee for runs of copies, in percent of the AI cost, 0-999.' })
  @Property({ type: 'integer' })
  runFee: number & Opt = 0;

  @Field(() => Int, { description: 'Number of runs without the fee per user.' })
  @Property({ type: 'integer' })
  freeRunsPerUser: number & Opt = 0;

  @ManyToOne(() => Category, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  category: Ref<Category> | null = null;

  @ManyToOne(() => Subcategory, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  subcategory: Ref<Subcategory> | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'Name in marketplace paths. The first publication sets it permanently; null before.',
  })
  @Property({ type: 'text', nullable: true, unique: true })
  slug: string | null = null;

  @Field(() => Boolean, { description: 'Whether the workflow is on the marketplace.' })
  @Property({ type: 'boolean' })
  isPublished: boolean & Opt = false;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the workflow was last published; null when it never was.',
  })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  publishedAt: Date | null = null;

  @ManyToOne(() => Workflow, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  copiedFrom: Ref<Workflow> | null = null;

  /** Id of the market terms of a copy; null when the workflow is not a copy. */
  @Property({ type: 'integer', nullable: true })
  marketTermsId: number | null = null;

  /** Id of the current revision. */
  @Property({ type: 'integer', nullable: true, index: true })
  revisionId: number | null = null;

  /** Id of the revision that new runs use in a project with drafts. Null: none is published, or the project uses no drafts. */
  @Property({ type: 'integer', nullable: true, index: true })
  publishedRevisionId: number | null = null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When `workflowPause` paused the triggers of the workflow. Null: they start runs.',
  })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  pausedAt: Date | null = null;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  archivedAt: Date | null = null;

  @Field(() => DateTime, { description: 'When the workflow was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the workflow was last changed.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
