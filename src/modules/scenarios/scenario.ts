import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Unstored } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { TextArray } from '../../platform/sql/text-array.js';
import { Category } from '../categories/category.js';
import { Subcategory } from '../categories/subcategory.js';
import { Project } from '../projects/project.js';
import type { ProjectRole } from '../projects/rights.js';

export enum MarketPermission {
  PRIVATE = 'private',
  MARKET_AVAILABLE = 'market_available',
}

registerEnumType(MarketPermission, {
  name: 'MarketPermission',
  description: 'Who a scenario is for.',
  valuesConfig: {
    PRIVATE: { description: 'The members of its project.' },
    MARKET_AVAILABLE: { description: 'Users outside the project too.' },
  },
});

@ObjectType({ description: 'A blueprint of ordered messages with their prompts, variables and conditions.' })
@Entity({ tableName: 'scenario' })
@Index({ properties: ['project', 'sortId'] })
export class Scenario {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** The ids of what it refers to are read along with the row. */
  projectId!: Unstored<number>;
  categoryId!: Unstored<number>;
  subcategoryId!: Unstored<number> | null;

  /** The viewer's role; absent if the statement that read the scenario does not return it. */
  viewersRole?: Unstored<ProjectRole>;

  @Field(() => String, { description: 'The scenario’s name, 1-255 characters.' })
  @Property({ type: 'text' })
  name!: string;

  @ManyToOne(() => Category, { ref: true, index: true })
  category!: Ref<Category>;

  @ManyToOne(() => Subcategory, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  subcategory: Ref<Subcategory> | null = null;

  @Field(() => Int, { description: 'Fee for external users, in percent of the AI cost, 0-999.' })
  @Property({ type: 'integer' })
  runFee!: number;

  @Field(() => Int, { description: 'Runs that each user has free of the fee.' })
  @Property({ type: 'integer' })
  freeRunsPerUser!: number;

  @Field(() => [String], { description: 'Language codes such as `en`, at most 100.' })
  @Property({ type: TextArray, columnType: 'text[]', defaultRaw: `'{}'` })
  availableLanguages: string[] & Opt = [];

  @Field(() => String, { description: 'Title for external users, at most 255 characters.' })
  @Property({ type: 'text' })
  marketTitle: string & Opt = '';

  @Field(() => String, { description: 'One paragraph for external users, at most 2,000 characters.' })
  @Property({ type: 'text' })
  shortDescription: string & Opt = '';

  @Field(() => MarketPermission, { description: 'Who it is for.' })
  @Enum({ items: () => Object.values(MarketPermission), type: 'string' })
  marketPermission: MarketPermission & Opt = MarketPermission.PRIVATE;

  @Property({ type: 'text', lazy: true })
  readmeGuide: string & Opt = '';

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, { nullable: true, description: 'The scenario run that this is a copy for.' })
  @Property({ type: 'integer', nullable: true, index: true })
  scenariorunId: number | null = null;

  @Field(() => DateTime, { description: 'When the scenario was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the scenario was last changed.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
