import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { savedGraphWarnings } from '../../engine/workflow/graph/unknown-members.js';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { JSONValue } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Warning } from '../../platform/requests/warnings.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import type { ProjectAccess } from '../projects/access.js';
import { Project } from '../projects/project.js';
import { projectOf, roleLoader } from '../projects/project-loaders.js';
import { isAllowed } from '../projects/rights.js';
import { dataOf, toGraph } from './graph/workflow-graph.js';
import { WorkflowGraph, WorkflowGraphInput } from './graph/workflow-graph.type.js';
import { NodeKind } from './node-kinds/node-kind.type.js';
import type { RevisionStore } from './revision-store.js';
import type { RevisionService } from './revisions/revision.service.js';
import { SavedRevision } from './revisions/workflow-revision.type.js';
import {
  WorkflowCreateInput,
  WorkflowFilter,
  WorkflowOrder,
  WorkflowPage,
  WorkflowUpdateInput,
} from './workflow.inputs.js';
import { Workflow } from './workflow.js';
import type { WorkflowService } from './workflow.service.js';
import { WorkflowCheck } from './workflow-check.type.js';
import { WorkflowInputField } from './workflow-input-field.type.js';

const ID = { description: 'Id of the workflow.' };

@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
    private readonly revisions: RevisionStore,
    private readonly savedRevisions: RevisionService,
    private readonly access: ProjectAccess,
    private readonly pageBytes: PageBytes,
    private readonly guides: ListPayloads<Pick<Workflow, 'readmeGuide'>>,
  ) {}

  @Query(() => WorkflowPage, {
    name: 'workflows',
    description: 'Lists the workflows of the caller’s projects, without archived ones.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => WorkflowFilter, { nullable: true, description: 'Default: all workflows.' })
    filter: WorkflowFilter | null,
    @Arg('order', () => WorkflowOrder, {
      defaultValue: WorkflowOrder.POSITION,
      description: 'Default: by project and position.',
    })
    order: WorkflowOrder,
    @Arg('bookmarkedFirst', () => Boolean, {
      defaultValue: false,
      description: 'Whether the workflows that the caller has bookmarked come first. Default: false.',
    })
    areBookmarkedFirst: boolean,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.workflows.list(viewer, filter, { order, areBookmarkedFirst }, page);
  }

  @Query(() => Workflow, {
    name: 'workflow',
    description: 'Returns one workflow. NOT_FOUND when it is archived or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.get(viewer, id);
  }

  @Query(() => [NodeKind], {
    name: 'nodeKinds',
    description:
      'Lists all kinds of nodes with the JSON Schemas and the forms of their settings. One entry for every kind.',
  })
  nodeKinds(@Ctx() { viewer }: RequestContext): readonly NodeKind[] {
    return this.workflows.nodeKinds(viewer);
  }

  @Query(() => WorkflowCheck, {
    name: 'workflowCheck',
    description: 'Validates a graph like a run of it, without storing it.',
  })
  checkGraph(
    @Ctx() { viewer }: RequestContext,
    @Arg('data', () => JSONValue, {
      nullable: true,
      description: 'The graph. A value that is not an object, including null, is reported as an invalid structure.',
    })
    data: unknown,
    @Arg('graph', () => WorkflowGraphInput, {
      nullable: true,
      description: 'The graph, typed. Not together with `data`.',
    })
    graph?: WorkflowGraphInput | null,
  ) {
    return this.workflows.checkGraph(viewer, dataOf({ data, graph }, {}));
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowCreate',
    description: 'Creates a workflow at the last position of its project. Requires the role editor.',
  })
  create(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('input', () => WorkflowCreateInput, { description: 'The new workflow.' }) input: WorkflowCreateInput,
  ) {
    // A typed `graph` has no unknown members: GraphQL refuses them.
    warnings.report(graphWarnings(input.data));
    return this.workflows.create(viewer, input);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowUpdate',
    description:
      'Updates a workflow. A changed graph becomes a new revision; existing runs keep their revision. Requires the role editor.',
  })
  update(
    @Ctx() { viewer, warnings }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => WorkflowUpdateInput, { description: 'The changes.' }) input: WorkflowUpdateInput,
  ) {
    warnings.report(graphWarnings(input.data));
    return this.workflows.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowDelete',
    description:
      'Archives a workflow: queries no longer return it. Its runs stay stored, those in progress continue, and `workflowRun` and `workflowRunCancel` find them by id. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.archive(viewer, id);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowDuplicate',
    description:
      'Copies a workflow within its project. The copy is independent, unpublished and at the last position. Requires the role editor.',
  })
  duplicate(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.duplicate(viewer, id);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowReorder',
    description: 'Moves a workflow to a position; the workflows in between shift by one. Requires the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, {
      description: 'Target position, from 1. Values outside the range are limited to the first or last position.',
    })
    sortId: number,
  ) {
    return this.workflows.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => SavedRevision, {
    description:
      'The revision that was saved last, with `data`. In a project with drafts it is the draft; new runs use `publishedRevision`.',
  })
  currentRevision(@Ctx() context: RequestContext, @Root() { revisionId }: Workflow) {
    return this.savedRevisions.load(context, revisionId!);
  }

  @FieldResolver(() => SavedRevision, {
    nullable: true,
    description:
      'The revision that new runs use in a project with drafts. Null: none is published, or the project uses no drafts.',
  })
  publishedRevision(@Ctx() context: RequestContext, @Root() { publishedRevisionId }: Workflow) {
    return publishedRevisionId === null ? null : this.savedRevisions.load(context, publishedRevisionId);
  }

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return projectOf(context, this.database, workflow.projectId);
  }

  @FieldResolver(() => Int, { description: 'Id of the owning project.' })
  projectId(@Root() workflow: Workflow) {
    return workflow.projectId;
  }

  @FieldResolver(() => Category, { nullable: true, description: 'Marketplace category; null without one.' })
  category(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return categoryOf(context, this.database, workflow.categoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the marketplace category.' })
  categoryId(@Root() workflow: Workflow) {
    return workflow.categoryId;
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'Marketplace subcategory; null without one.' })
  subcategory(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return subcategoryOf(context, this.database, workflow.subcategoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the marketplace subcategory.' })
  subcategoryId(@Root() workflow: Workflow) {
    return workflow.subcategoryId;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Id of the marketplace workflow that this is a copy of; null when it is not a copy.',
  })
  copiedFromId(@Root() workflow: Workflow) {
    return workflow.copiedFromId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the page leaves out `data`, `readmeGuide` and `inputFields` because the page has reached its size limit.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return !(await this.#isInPageLimit(context, workflow));
  }

  @FieldResolver(() => String, {
    description: 'Guide for users in Markdown, at most 100,000 characters. Empty when `isShortened` is true.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    if (!(await this.#isInPageLimit(context, workflow))) return '';
    return (await this.guides.read(context, workflow))?.readmeGuide ?? '';
  }

  @FieldResolver(() => JSONValue, {
    description: 'The graph, with secret defaults masked as `********`; `{}` when `isShortened` is true.',
  })
  async data(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return (await this.#isInPageLimit(context, workflow)) ? (await this.revisions.of(context, workflow)).data : {};
  }

  @FieldResolver(() => WorkflowGraph, {
    nullable: true,
    description: 'The graph with typed nodes and edges, masked like `data`. Null when `isShortened` is true.',
  })
  async graph(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return (await this.#isInPageLimit(context, workflow))
      ? toGraph((await this.revisions.of(context, workflow)).data)
      : null;
  }

  @FieldResolver(() => [WorkflowInputField], {
    description: 'The input fields of the trigger, no more than it declares; empty when `isShortened` is true.',
  })
  async inputFields(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return (await this.#isInPageLimit(context, workflow))
      ? (await this.revisions.of(context, workflow)).inputFields
      : [];
  }

  @FieldResolver(() => WorkflowCheck, { description: 'Validation result of the saved graph.' })
  async check(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    const { data } = await this.revisions.of(context, workflow);
    return this.workflows.check(data, { id: workflow.id, projectId: workflow.projectId });
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may edit the workflow, which requires the role editor.',
  })
  async canEdit(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    const role = workflow.viewersRole ?? (await roleLoader(context, this.access).load(workflow.projectId));
    return role !== null && isAllowed(role, 'workflow.update');
  }

  async #isInPageLimit(context: RequestContext, workflow: Workflow): Promise<boolean> {
    const { id, revisionId } = workflow;
    const [graph, guide] = await Promise.all([
      revisionId === null ? 0 : this.revisions.bytesOf(context, revisionId),
      this.guides.bytesOf(context, workflow),
    ]);
    return this.pageBytes.fits(context, 'workflow', workflow, { id, bytes: graph + guide });
  }
}

/** Warnings with paths within the input. A path that begins with `nodes.` is one of the graph, others of a node begin at its settings. */
function graphWarnings(data: unknown): Warning[] {
  return savedGraphWarnings(data).map(({ node_id, path, ...warning }) => ({
    path: node_id === null || path.startsWith('nodes.') ? `data.${path}` : `data.nodes[${node_id}].data.${path}`,
    ...warning,
  }));
}
