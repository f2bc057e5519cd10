import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
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

const SLUG = { description: 'The workflow’s name on the marketplace.' };

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
    description: 'The published workflows. Needs no credentials.',
  })
  list(
    @Ctx() { caller }: RequestContext,
    @Arg('filter', () => MarketplaceFilter, { nullable: true, description: 'Which workflows.' })
    filter: MarketplaceFilter | null,
    @Arg('order', () => WorkflowListOrder, {
      defaultValue: WorkflowListOrder.CREATED_AT_DESC,
      description: 'Default: newest first.',
    })
    order: WorkflowListOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.marketplace.list(caller, filter ?? {}, order, page);
  }

  @Query(() => MarketplaceWorkflow, {
    name: 'marketplaceWorkflow',
    description: 'One published workflow. NOT_FOUND when none has this slug. Needs no credentials.',
  })
  get(@Ctx() { caller }: RequestContext, @Arg('slug', () => String, SLUG) slug: string) {
    return this.marketplace.get(caller, slug);
  }

  @Query(() => [MarketplaceExample], {
    name: 'marketplaceExamples',
    description: 'The newest 50 example runs of a published workflow that have ended. Needs no credentials.',
  })
  listExamples(@Ctx() context: RequestContext, @Arg('slug', () => String, SLUG) slug: string) {
    return this.examples.list(context, slug);
  }

  @Query(() => MarketplaceExample, {
    name: 'marketplaceExample',
    description: 'One example run of a published workflow. Needs no credentials.',
  })
  getExample(
    @Arg('slug', () => String, SLUG) slug: string,
    @Arg('runId', () => UUID, { description: 'The run.' }) runId: string,
  ) {
    return this.examples.get(slug, runId);
  }

  @Mutation(() => Workflow, {
    name: 'workflowCopyFromMarketplace',
    description:
      'The caller’s copy of a published workflow: made at the first time, the same one after that, and for its author the original. The copy is made of the template’s graph, without credentials: its `gaps` are what to fill in. Needs the role editor in the project.',
  })
  copy(
    @Ctx() { viewer }: RequestContext,
    @Arg('slug', () => String, SLUG) slug: string,
    @Arg('project', () => Int, {
      nullable: true,
      description:
        'Where a new copy goes. Default: the oldest project that the caller owns; a personal one is created when there is none.',
    })
    project: number | null,
  ) {
    return this.copies.copy(viewer, slug, project ?? null);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its guide because it does not fit into the page with those of the workflows before it; read alone it has it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() workflow: MarketplaceWorkflow) {
    return !(await this.guides.isWhole(context, workflow));
  }

  @FieldResolver(() => String, {
    description: 'A guide for users, in Markdown. At most 100,000 characters. Empty where it is shortened.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() workflow: MarketplaceWorkflow) {
    return (await this.guides.of(context, workflow))?.readmeGuide ?? '';
  }

  @FieldResolver(() => Category, { nullable: true, description: 'The category.' })
  category(@Ctx() context: RequestContext, @Root() { categoryId }: MarketplaceWorkflow) {
    return categoryOf(context, this.database, categoryId);
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'The subcategory.' })
  subcategory(@Ctx() context: RequestContext, @Root() { subcategoryId }: MarketplaceWorkflow) {
    return subcategoryOf(context, this.database, subcategoryId);
  }
}
