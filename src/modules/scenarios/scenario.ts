import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { InColumn, NonColumn } from '../../platform/database/typed-queries.js';
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
  description: 'Intended audience of a scenario. It does not change access rights.',
  valuesConfig: {
    PRIVATE: { description: 'The members of its project.' },
    MARKET_AVAILABLE: { description: 'Users outside the project as well.' },
  },
});

@ObjectType({
  description:
    'An ordered list of messages to language models, with their prompts, variables and conditions. Executing it creates a scenario run.',
})
@Entity({ tableName: 'scenario' })
@Index({ properties: ['project', 'sortId'] })
export class Scenario {
  @Field(() => Int, { description: 'Unique id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** Foreign keys. Queries of this module select them with the row. */
  projectId!: NonColumn<number>;
  categoryId!: NonColumn<number>;
  subcategoryId!: NonColumn<number> | null;

  /** The viewer's role; absent if the statement that read the scenario does not return it. */
  viewersRole?: NonColumn<ProjectRole>;

  @Field(() => String, { description: 'Name of the scenario, 1-255 characters.' })
  @Property({ type: 'text' })
  name!: string;

  @ManyToOne(() => Category, { ref: true, index: true })
  category!: Ref<Category>;

  @ManyToOne(() => Subcategory, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  subcategory: Ref<Subcategory> | null = null;

  @Field(() => Int, {
    description:
      'Fee for users outside the project, in percent of the AI cost, 0-999. For information: runs of scenarios charge no fee.',
  })
  @Property({ type: 'integer' })
  runFee!: number;

  @Field(() => Int, {
    description: 'Number of runs without the fee for each user. For information: runs of scenarios charge no fee.',
  })
  @Property({ type: 'integer' })
  freeRunsPerUser!: number;

  @Field(() => [String], { description: 'Languages of the scenario: at most 100 codes such as `en` or `pt-BR`.' })
  @Property({ type: TextArray, columnType: 'text[]', defaultRaw: `'{}'` })
  availableLanguages: string[] & Opt = [];

  @Field(() => String, { description: 'Title for users outside the project, at most 255 characters.' })
  @Property({ type: 'text' })
  marketTitle: string & Opt = '';

  @Field(() => String, {
    description: 'Short description for users outside the project: one paragraph, at most 2,000 characters.',
  })
  @Property({ type: 'text' })
  shortDescription: string & Opt = '';

  @Field(() => MarketPermission, { description: 'Intended audience. It does not change access rights.' })
  @Enum({ items: () => Object.values(MarketPermission), type: 'string' })
  marketPermission: MarketPermission & Opt = MarketPermission.PRIVATE;

  @Property({ type: 'text', lazy: true })
  readmeGuide: string & Opt = '';

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the scenario run that this copy was made for; null for an original.',
  })
  @Property({ type: 'integer', fieldName: 'scenariorun_id', nullable: true, index: true })
  scenarioRunId: InColumn<'scenariorun_id', number> | null = null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'Time of the last change.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
