import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';
import { MarketItem } from '../marketplace/market-item.type.js';

@ObjectType({ description: 'A workflow of one of the caller’s projects, with what its own runs came to.' })
export class CatalogWorkflow extends MarketItem {
  @Field(() => Int, { description: 'Id of the project it belongs to.' })
  projectId!: number;

  @Field(() => String, { description: 'The workflow’s title.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'Name in marketplace paths, once published; it stays.' })
  slug!: string | null;

  @Field(() => Boolean, { description: 'Whether it is on the marketplace.' })
  isPublished!: boolean;

  @Field(() => Int, { nullable: true, description: 'The marketplace workflow this is a copy of.' })
  copiedFromId!: number | null;

  @Field(() => Boolean, { description: 'Whether the caller has bookmarked it; those come first.' })
  isBookmarked!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When it last ran to an end; null: never.' })
  lastRunAt!: Date | null;

  @Field(() => Money, { nullable: true, description: 'What that run cost; null: it never ran.' })
  lastRunCost!: Money | null;

  @Field(() => Float, { nullable: true, description: 'Seconds that its runs took on average; null: it never ran.' })
  averageRunDuration!: number | null;

  @Field(() => Money, { description: 'What its runs have cost together, copies’ runs left out.' })
  totalCost!: Money;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'One page of the catalog.' })
export class CatalogWorkflowPage extends pageOf(CatalogWorkflow) {}

@ObjectType({ description: 'What became of a bookmark.' })
export class BookmarkReceipt {
  @Field(() => String, { description: 'One sentence for people.' })
  message!: string;

  @Field(() => CatalogWorkflow, { description: 'The workflow as it stands in the catalog.' })
  workflow!: CatalogWorkflow;
}
