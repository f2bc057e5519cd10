import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';

/** What lists of workflows show of one, wherever it stands. */
@ObjectType({ description: 'A workflow in a list.' })
export abstract class MarketItem {
  @Field(() => Int, { description: 'The workflow’s id.' })
  id!: number;

  @Field(() => String, { description: 'Title on the marketplace.' })
  marketTitle!: string;

  @Field(() => String, { description: 'One paragraph about it.' })
  shortDescription!: string;

  /** Absent where the statement that read the item left it out. */
  readmeGuide?: string;

  @Field(() => [String], { description: 'Language codes such as `en`, at most 100.' })
  availableLanguages!: string[];

  @Field(() => String, { description: 'Fee of each run in percent of the AI cost, 0-999, as text.' })
  runFee!: string;

  @Field(() => Int, { description: 'Runs that each user has free of the fee.' })
  freeRunsPerUser!: number;

  @Field(() => Money, { description: 'What a run has cost on average, the fee included; of copies’ runs as well.' })
  marketplacePriceAverage!: Money;

  @Field(() => Int, { description: 'Id of the caller’s copy; -1 where there is none.' })
  copiedWorkflowId!: number;

  @Field(() => Int, { description: 'Users who have copied it.' })
  totalUsersCount!: number;

  @Field(() => Int, { description: 'Runs that have ended, those of copies included.' })
  totalRunsCount!: number;

  @Field(() => Int, { nullable: true, description: 'Id of the category.' })
  categoryId!: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of the subcategory.' })
  subcategoryId!: number | null;

  @Field(() => DateTime, { description: 'When the workflow was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A workflow on the marketplace, as everybody may read it.' })
export class MarketplaceWorkflow extends MarketItem {
  @Field(() => String, { description: 'Name in marketplace paths. It stays.' })
  slug!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it or a copy of it last ran to an end; null: never.' })
  lastRunAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was last put on the marketplace.' })
  publishedAt!: Date;
}

@ObjectType({ description: 'One page of the marketplace.' })
export class MarketplaceWorkflowPage extends pageOf(MarketplaceWorkflow) {}
