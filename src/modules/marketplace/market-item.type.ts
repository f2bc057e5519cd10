import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';

/** The fields of a workflow that the marketplace and the catalog have in common. */
@ObjectType({ description: 'A workflow in a list.' })
export abstract class MarketItem {
  @Field(() => Int, { description: 'The id of the workflow.' })
  id!: number;

  @Field(() => String, { description: 'The title on the marketplace.' })
  marketTitle!: string;

  @Field(() => String, { description: 'A description in one paragraph.' })
  shortDescription!: string;

  /** Absent if the query did not select it. */
  readmeGuide?: string;

  @Field(() => [String], { description: 'The languages of the workflow as codes such as `en`, at most 100.' })
  availableLanguages!: string[];

  @Field(() => String, { description: 'The commission of each run in percent of its AI cost, 0-999, as text.' })
  runFee!: string;

  @Field(() => Int, { description: 'The number of runs without commission for each user.' })
  freeRunsPerUser!: number;

  @Field(() => Money, {
    description: 'The average cost of a run, including the commission and including runs of copies.',
  })
  marketplacePriceAverage!: Money;

  @Field(() => Int, { description: 'The id of the caller’s copy of the workflow. -1 if there is none.' })
  copiedWorkflowId!: number;

  @Field(() => Int, { description: 'The number of users who have copied the workflow.' })
  totalUsersCount!: number;

  @Field(() => Int, { description: 'The number of ended runs, including runs of copies.' })
  totalRunsCount!: number;

  @Field(() => Int, { nullable: true, description: 'The id of the category.' })
  categoryId!: number | null;

  @Field(() => Int, { nullable: true, description: 'The id of the subcategory.' })
  subcategoryId!: number | null;

  @Field(() => DateTime, { description: 'When the workflow was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A published workflow on the marketplace. Readable without credentials.' })
export class MarketplaceWorkflow extends MarketItem {
  @Field(() => String, { description: 'The name in marketplace URLs. It never changes.' })
  slug!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the last run of the workflow or of a copy ended. Null: never.',
  })
  lastRunAt!: Date | null;

  @Field(() => DateTime, { description: 'When the workflow was last published.' })
  publishedAt!: Date;
}

@ObjectType({ description: 'One page of the marketplace.' })
export class MarketplaceWorkflowPage extends pageOf(MarketplaceWorkflow) {}
