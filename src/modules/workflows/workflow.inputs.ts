import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Workflow } from './workflow.js';

@InputType({ description: 'What the marketplace shows of a workflow.' })
abstract class MarketplaceAttributes {
  @Field(() => String, { nullable: true, description: 'Title on the marketplace, at most 255 characters.' })
  marketTitle?: string | null;

  @Field(() => String, { nullable: true, description: 'One paragraph for the marketplace, at most 2,000 characters.' })
  shortDescription?: string | null;

  @Field(() => String, { nullable: true, description: 'A guide in Markdown, at most 100,000 characters.' })
  readmeGuide?: string | null;

  @Field(() => [String], { nullable: true, description: 'Language codes such as `en` or `pt-BR`, at most 100.' })
  availableLanguages?: string[] | null;

  @Field(() => Int, { nullable: true, description: 'Fee in percent of the AI cost, 0-999.' })
  runFee?: number | null;

  @Field(() => Int, { nullable: true, description: 'Runs that each user has free of the fee, 0 or more.' })
  freeRunsPerUser?: number | null;

  @Field(() => Int, { nullable: true, description: 'Marketplace category.' })
  category?: number | null;

  @Field(() => Int, { nullable: true, description: 'Marketplace subcategory.' })
  subcategory?: number | null;
}

const DATA =
  'The graph: `nodes`, `edges`, `viewport`, `start_node`. Any well-formed graph is saved, valid or not; running checks it. `********` as a secret field’s `default_value` keeps the stored one.';

@InputType({ description: 'A new workflow.' })
export class WorkflowCreateInput extends MarketplaceAttributes {
  @Field(() => Int, { description: 'The owning project.' })
  project!: number;

  @Field(() => String, { description: '1-255 characters.' })
  title!: string;

  @Field(() => JSONValue, { description: DATA })
  data!: unknown;
}

@InputType({ description: 'Changes to a workflow; what is left out stays.' })
export class WorkflowUpdateInput extends MarketplaceAttributes {
  @Field(() => String, { nullable: true, description: '1-255 characters.' })
  title?: string;

  @Field(() => JSONValue, { nullable: true, description: DATA })
  data?: unknown;
}

export enum WorkflowOrder {
  POSITION = 'POSITION',
  TITLE_ASC = 'TITLE_ASC',
  TITLE_DESC = 'TITLE_DESC',
  CREATED_AT_ASC = 'CREATED_AT_ASC',
  CREATED_AT_DESC = 'CREATED_AT_DESC',
  UPDATED_AT_ASC = 'UPDATED_AT_ASC',
  UPDATED_AT_DESC = 'UPDATED_AT_DESC',
}
registerEnumType(WorkflowOrder, {
  name: 'WorkflowOrder',
  description: 'Orders of workflows.',
  valuesConfig: {
    POSITION: { description: 'By project, and by position within it.' },
    TITLE_ASC: { description: 'By title, from A.' },
    TITLE_DESC: { description: 'By title, from Z.' },
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    UPDATED_AT_ASC: { description: 'The one unchanged for longest first.' },
    UPDATED_AT_DESC: { description: 'The one changed last first.' },
  },
});

@InputType({ description: 'Which workflows to list. All that is given must hold.' })
export class WorkflowFilter {
  @Field(() => Int, { nullable: true, description: 'Those of one project.' })
  project?: number | null;

  @Field(() => String, { nullable: true, description: 'Part of the title, in any case; `%` and `_` are literal.' })
  titleContains?: string | null;

  @Field(() => [Int], { nullable: true, description: 'Those of any of these marketplace categories, at most 100.' })
  categories?: number[] | null;

  @Field(() => [Int], { nullable: true, description: 'Those of any of these subcategories, at most 100.' })
  subcategories?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Those on the marketplace, or those that are not.' })
  isPublished?: boolean | null;
}

@ObjectType({ description: 'One page of workflows.' })
export class WorkflowPage extends pageOf(Workflow) {}
