import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';
import { MarketItem } from '../marketplace/market-item.type.js';

@ObjectType({ description: 'A workflow in one of the caller’s projects, with figures about its own runs.' })
export class CatalogWorkflow extends MarketItem {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The title of the workflow.' })
  title!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name in marketplace URLs. Null before the first publication; never changes afterwards.',
  })
  slug!: string | null;

  @Field(() => Boolean, { description: 'Whether the workflow is published on the marketplace.' })
  isPublished!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the marketplace workflow that was copied. Null: not a copy.',
  })
  copiedFromId!: number | null;

  @Field(() => Boolean, {
    description: 'Whether the caller has bookmarked the workflow. Bookmarked workflows are listed first.',
  })
  isBookmarked!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When the last run ended. Null: never.' })
  lastRunAt!: Date | null;

  @Field(() => Money, { nullable: true, description: 'The cost of the last ended run. Null: there is none.' })
  lastRunCost!: Money | null;

  @Field(() => Float, {
    nullable: true,
    description: 'The average duration of the ended runs in seconds. Null: there are none.',
  })
  averageRunDuration!: number | null;

  @Field(() => Money, { description: 'The total cost of the runs of the workflow, without the runs of copies.' })
  totalCost!: Money;

  @Field(() => DateTime, { description: 'When the workflow was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'One page of the catalog.' })
export class CatalogWorkflowPage extends pageOf(CatalogWorkflow) {}

@ObjectType({ description: 'The result of a change of a bookmark.' })
export class BookmarkReceipt {
  @Field(() => String, { description: 'A readable confirmation in one sentence.' })
  message!: string;

  @Field(() => CatalogWorkflow, { description: 'The workflow after the change.' })
  workflow!: CatalogWorkflow;
}
