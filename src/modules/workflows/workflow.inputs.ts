import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { WorkflowGraphInput } from './graph/workflow-graph.type.js';
import { Workflow } from './workflow.js';

@InputType({ description: 'Attributes of a workflow on the marketplace.' })
abstract class MarketplaceAttributes {
  @Field(() => String, { nullable: true, description: 'Title on the marketplace, at most 255 characters.' })
  marketTitle?: string | null;

  @Field(() => String, { nullable: true, description: 'Summary for the marketplace, at most 2,000 characters.' })
  shortDescription?: string | null;

  @Field(() => String, { nullable: true, description: 'Guide for users in Markdown, at most 100,000 characters.' })
  readmeGuide?: string | null;

  @Field(() => [String], { nullable: true, description: 'Language codes, at most 100, for example `["en", "pt-BR"]`.' })
  availableLanguages?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Fee for runs of copies, in percent of the AI cost, 0-999. Default: 0.',
  })
  runFee?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of runs without the fee per user, 0-1,000,000,000. Default: 0.',
  })
  freeRunsPerUser?: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of the marketplace category. Null removes it.' })
  categoryId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of a subcategory of the category. Null removes it.' })
  subcategoryId?: number | null;
}

const DATA =
  'The graph: an object with `nodes`, `edges`, `viewport` and `start_node`. Drafts with invalid nodes can be saved; a run validates them. `********` as `default_value` of a secret field keeps the stored value.';

@InputType({ description: 'A new workflow.' })
export class WorkflowCreateInput extends MarketplaceAttributes {
  @Field(() => Int, { description: 'Id of the owning project.' })
  projectId!: number;

  @Field(() => String, { description: 'Title, 1-255 characters.' })
  title!: string;

  @Field(() => JSONValue, { nullable: true, description: `${DATA} Required without \`graph\`.` })
  data?: unknown;

  @Field(() => WorkflowGraphInput, { nullable: true, description: 'The graph, typed. Either this or `data`.' })
  graph?: WorkflowGraphInput | null;
}

@InputType({ description: 'Changes to a workflow. Omitted fields stay unchanged.' })
export class WorkflowUpdateInput extends MarketplaceAttributes {
  @Field(() => String, { nullable: true, description: 'Title, 1-255 characters.' })
  title?: string;

  @Field(() => JSONValue, { nullable: true, description: DATA })
  data?: unknown;

  @Field(() => WorkflowGraphInput, { nullable: true, description: 'The graph, typed. Either this or `data`.' })
  graph?: WorkflowGraphInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the revision that the change is based on. CONFLICT when another one was saved since. Default: not checked.',
  })
  expectedRevisionNumber?: number | null;
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
  description: 'Sort order of workflows.',
  valuesConfig: {
    POSITION: { description: 'By project, then by position within the project.' },
    TITLE_ASC: { description: 'By title, A to Z.' },
    TITLE_DESC: { description: 'By title, Z to A.' },
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    UPDATED_AT_ASC: { description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { description: 'Most recently changed first.' },
  },
});

@InputType({ description: 'Restricts a list of workflows. All given conditions must match.' })
export class WorkflowFilter {
  @Field(() => Int, { nullable: true, description: 'Includes only workflows of the project with this id.' })
  projectId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Part of the title, case-insensitive, at most 255 characters. `%` and `_` are literal.',
  })
  titleContains?: string | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Includes only workflows in one of the marketplace categories with these ids, at most 100.',
  })
  categoryIds?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Includes only workflows in one of the subcategories with these ids, at most 100.',
  })
  subcategoryIds?: number[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Includes only published (true) or unpublished (false) workflows.',
  })
  isPublished?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Includes only workflows that are available in one of these languages, at most 100 codes such as `en` or `pt-BR`.',
  })
  languages?: string[] | null;
}

@ObjectType({ description: 'One page of workflows.' })
export class WorkflowPage extends pageOf(Workflow) {}
