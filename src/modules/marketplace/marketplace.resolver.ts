import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { UUID } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import { Workflow } from '../workflows/workflow.js';
import { MarketplaceFilter, WorkflowListOrder } from './listing.inputs.js';
import type { MarketCopyService } from './market-copy.service.js';
import { MarketplaceExample } from './market-example.type.js';
import type { MarketExamplesService } from './market-examples.service.js';
import { MarketplaceWorkflow, MarketplaceWorkflowPage } from './market-item.type.js';
import type { MarketplaceService } from './marketplace.service.js';

const SLUG = { description: 'The name of the workflow in marketplace URLs, for example `summarize-a-page`.' };

@Resolver(() => MarketplaceWorkflow)
export class MarketplaceResolver {
  constructor(
    private readonly marketplace: MarketplaceService,
    private readonly examples: MarketExamplesService,
    private readonly copies: MarketCopyService,
    private readonly database: Database,
    private readonly guides: ListPayloads<Pick<Workflow, 'readmeGuide'>>,
  ) {}

  @Query(() => MarketplaceWorkflowPage, {
    name: 'marketplaceWorkflows',
    description: 'The published workflows. Requires no credentials.',
  })
  list(
    @Ctx() { caller }: RequestContext,
    @Arg('filter', () => MarketplaceFilter, {
      nullable: true,
      description: 'Conditions that listed workflows match. Default: all published workflows.',
    })
    filter: MarketplaceFilter | null,
    @Arg('order', () => WorkflowListOrder, {
      defaultValue: WorkflowListOrder.CREATED_AT_DESC,
      description: 'The order of the workflows. Default: newest first.',
    })
    order: WorkflowListOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.marketplace.list(caller, filter ?? {}, order, page);
  }

  @Query(() => MarketplaceWorkflow, {
    name: 'marketplaceWorkflow',
    description: 'One published workflow. NOT_FOUND when no published workflow has this slug. Requires no credentials.',
  })
  get(@Ctx() { caller }: RequestContext, @Arg('slug', () => String, SLUG) slug: string) {
    return this.marketplace.get(caller, slug);
  }

  @Query(() => [MarketplaceExample], {
    name: 'marketplaceExamples',
    description: 'The newest 50 ended example runs of a published workflow. Requires no credentials.',
  })
  listExamples(@Ctx() context: RequestContext, @Arg('slug', () => String, SLUG) slug: string) {
    return this.examples.list(context, slug);
  }

  @Query(() => MarketplaceExample, {
    name: 'marketplaceExample',
    description:
      'One example run of a published workflow. NOT_FOUND when the run is not an ended example. Requires no credentials.',
  })
  getExample(
    @Arg('slug', () => String, SLUG) slug: string,
    @Arg('runId', () => UUID, { description: 'The id of the run.' }) runId: string,
  ) {
    return this.examples.get(slug, runId);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowCopyFromMarketplace',
    description:
      'Copies a published workflow for the caller. Later calls return the same copy; authors receive the original. The copy has the graph of the template run without credentials. Its `gaps` list the values to fill in. Requires the role editor in the project.',
  })
  copy(
    @Ctx() { viewer }: RequestContext,
    @Arg('slug', () => String, SLUG) slug: string,
    @Arg('projectId', () => Int, {
      nullable: true,
      description:
        'The id of the project for a new copy. Default: the oldest project that the caller owns. A personal project is created if there is none.',
    })
    project: number | null,
  ) {
    return this.copies.copy(viewer, slug, project ?? null);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits the guide of this workflow because the page would exceed its size limit. Query the workflow by slug to read it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() workflow: MarketplaceWorkflow) {
    return !(await this.guides.isWhole(context, workflow));
  }

  @FieldResolver(() => String, {
    description: 'A guide for users in Markdown, at most 100,000 characters. Empty if `isShortened` is true.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() workflow: MarketplaceWorkflow) {
    return (await this.guides.of(context, workflow))?.readmeGuide ?? '';
  }

  @FieldResolver(() => Category, { nullable: true, description: 'The category of the workflow. Null: none.' })
  category(@Ctx() context: RequestContext, @Root() { categoryId }: MarketplaceWorkflow) {
    return categoryOf(context, this.database, categoryId);
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'The subcategory of the workflow. Null: none.' })
  subcategory(@Ctx() context: RequestContext, @Root() { subcategoryId }: MarketplaceWorkflow) {
    return subcategoryOf(context, this.database, subcategoryId);
  }
}
