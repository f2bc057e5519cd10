import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import { WorkflowListOrder } from '../marketplace/listing.inputs.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Workflow } from '../workflows/workflow.js';
import { workflowOf } from '../workflows/workflow-loaders.js';
import { CatalogFilter } from './catalog.inputs.js';
import type { CatalogService } from './catalog.service.js';
import { BookmarkReceipt, CatalogWorkflow, CatalogWorkflowPage } from './catalog-workflow.type.js';

const ID = { description: 'The id of the workflow.' };

@Resolver(() => CatalogWorkflow)
export class CatalogResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly database: Database,
    private readonly guides: ListPayloads<Pick<Workflow, 'readmeGuide'>>,
  ) {}

  @Query(() => CatalogWorkflowPage, {
    name: 'catalogWorkflows',
    description:
      'The unarchived workflows of the caller’s projects. Bookmarked workflows come first. Administrators see all projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => CatalogFilter, {
      nullable: true,
      description: 'Conditions that listed workflows match. Default: all unarchived workflows.',
    })
    filter: CatalogFilter | null,
    @Arg('order', () => WorkflowListOrder, {
      defaultValue: WorkflowListOrder.CREATED_AT_DESC,
      description: 'The order of the workflows. Default: newest first. Bookmarked workflows come first in every order.',
    })
    order: WorkflowListOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.catalog.list(viewer, filter ?? {}, order, page);
  }

  @Query(() => CatalogWorkflow, {
    name: 'catalogWorkflow',
    description:
      'One workflow of the catalog. NOT_FOUND when it is archived or the caller is not a member of its project. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.catalog.get(viewer, id);
  }

  @PayloadMutation({
    returns: { receipt: () => BookmarkReceipt },
    name: 'workflowBookmarkAdd',
    description:
      'Bookmarks a workflow for the caller, so that it comes first in the caller’s catalog. Has no effect on a bookmarked workflow. Requires the role viewer.',
  })
  async addBookmark(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number): Promise<BookmarkReceipt> {
    return { message: 'The workflow is bookmarked.', workflow: await this.catalog.addBookmark(viewer, id) };
  }

  @PayloadMutation({
    returns: { receipt: () => BookmarkReceipt },
    name: 'workflowBookmarkRemove',
    description: 'Removes the caller’s bookmark. Has no effect without a bookmark. Requires the role viewer.',
  })
  async removeBookmark(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
  ): Promise<BookmarkReceipt> {
    return { message: 'The bookmark is removed.', workflow: await this.catalog.removeBookmark(viewer, id) };
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits the guide of this workflow because the page would exceed its size limit. Query the workflow by id to read it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() workflow: CatalogWorkflow) {
    return !(await this.guides.isWhole(context, workflow));
  }

  @FieldResolver(() => String, {
    description: 'A guide for users in Markdown, at most 100,000 characters. Empty if `isShortened` is true.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() workflow: CatalogWorkflow) {
    return (await this.guides.of(context, workflow))?.readmeGuide ?? '';
  }

  @FieldResolver(() => Category, { nullable: true, description: 'The category of the workflow. Null: none.' })
  category(@Ctx() context: RequestContext, @Root() { categoryId }: CatalogWorkflow) {
    return categoryOf(context, this.database, categoryId);
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'The subcategory of the workflow. Null: none.' })
  subcategory(@Ctx() context: RequestContext, @Root() { subcategoryId }: CatalogWorkflow) {
    return subcategoryOf(context, this.database, subcategoryId);
  }

  @FieldResolver(() => Project, { description: 'The project of the workflow.' })
  project(@Ctx() context: RequestContext, @Root() { projectId }: CatalogWorkflow) {
    return projectOf(context, this.database, projectId);
  }

  @FieldResolver(() => Workflow, { nullable: true, description: 'The workflow itself. Null if it has been deleted.' })
  workflow(@Ctx() context: RequestContext, @Root() { id }: CatalogWorkflow) {
    return workflowOf(context, this.database, id);
  }
}
