import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { JSONValue } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import type { ProjectAccess } from '../projects/access.js';
import { Project } from '../projects/project.js';
import { projectOf, roleLoader } from '../projects/project-loaders.js';
import { isAllowed } from '../projects/rights.js';
import { NodeKind } from './node-kind.type.js';
import type { RevisionStore } from './revision-store.js';
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

const ID = { description: 'The workflow.' };

@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
    private readonly revisions: RevisionStore,
    private readonly access: ProjectAccess,
    private readonly pageBytes: PageBytes,
    private readonly guides: ListPayloads<Pick<Workflow, 'readmeGuide'>>,
  ) {}

  @Query(() => WorkflowPage, {
    name: 'workflows',
    description: 'The workflows of the caller’s projects. Archived ones are left out.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => WorkflowFilter, { nullable: true, description: 'Which workflows.' })
    filter: WorkflowFilter | null,
    @Arg('order', () => WorkflowOrder, {
      defaultValue: WorkflowOrder.POSITION,
      description: 'Default: by project and position.',
    })
    order: WorkflowOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.workflows.list(viewer, filter, order, page);
  }

  @Query(() => Workflow, {
    name: 'workflow',
    description: 'One workflow. NOT_FOUND when it is archived or not the caller’s.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.get(viewer, id);
  }

  @Query(() => [NodeKind], { name: 'nodeKinds', description: 'Every kind of node with the schema of its settings.' })
  nodeKinds(@Ctx() { viewer }: RequestContext): NodeKind[] {
    return this.workflows.nodeKinds(viewer);
  }

  @Query(() => WorkflowCheck, {
    name: 'workflowCheck',
    description: 'What a run of a graph would be told. The graph is stored nowhere.',
  })
  checkGraph(
    @Ctx() { viewer }: RequestContext,
    @Arg('data', () => JSONValue, {
      nullable: true,
      description: 'The graph. Anything that is no object, null too, is a broken structure.',
    })
    data: unknown,
  ) {
    return this.workflows.checkGraph(viewer, data);
  }

  @Mutation(() => Workflow, {
    name: 'workflowCreate',
    description: 'Creates a workflow, last in its project. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => WorkflowCreateInput, { description: 'The new workflow.' }) input: WorkflowCreateInput,
  ) {
    return this.workflows.create(viewer, input);
  }

  @Mutation(() => Workflow, {
    name: 'workflowUpdate',
    description:
      'Changes a workflow. A changed graph is a new revision; runs keep the one they started with. Needs the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => WorkflowUpdateInput, { description: 'What changes.' }) input: WorkflowUpdateInput,
  ) {
    return this.workflows.update(viewer, id, input);
  }

  @Mutation(() => Workflow, {
    name: 'workflowDelete',
    description: 'Archives a workflow: it disappears, its runs stay countable. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.archive(viewer, id);
  }

  @Mutation(() => Workflow, {
    name: 'workflowDuplicate',
    description:
      'Copies a workflow inside its project as a new independent one, unpublished and last. Needs the role editor.',
  })
  duplicate(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.workflows.duplicate(viewer, id);
  }

  @Mutation(() => Workflow, {
    name: 'workflowReorder',
    description: 'Moves a workflow; the others shift. Needs the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, { description: 'Target position from 1; outside 1…n it is clamped.' }) sortId: number,
  ) {
    return this.workflows.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return projectOf(context, this.database, workflow.projectId);
  }

  @FieldResolver(() => Int, { description: 'The owning project’s id.' })
  projectId(@Root() workflow: Workflow) {
    return workflow.projectId;
  }

  @FieldResolver(() => Category, { nullable: true, description: 'Marketplace category.' })
  category(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return categoryOf(context, this.database, workflow.categoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the marketplace category.' })
  categoryId(@Root() workflow: Workflow) {
    return workflow.categoryId;
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'Marketplace subcategory.' })
  subcategory(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return subcategoryOf(context, this.database, workflow.subcategoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the marketplace subcategory.' })
  subcategoryId(@Root() workflow: Workflow) {
    return workflow.subcategoryId;
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The marketplace workflow this is a copy of.' })
  copiedFromId(@Root() workflow: Workflow) {
    return workflow.copiedFromId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return !(await this.#isWhole(context, workflow));
  }

  @FieldResolver(() => String, {
    description: 'A guide for users, in Markdown. At most 100,000 characters. Empty where it is shortened.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    if (!(await this.#isWhole(context, workflow))) return '';
    return (await this.guides.read(context, workflow))?.readmeGuide ?? '';
  }

  @FieldResolver(() => JSONValue, {
    description: 'The graph, secret defaults masked as `********`; `{}` where it is shortened.',
  })
  async data(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return (await this.#isWhole(context, workflow)) ? (await this.revisions.of(context, workflow)).data : {};
  }

  @FieldResolver(() => [WorkflowInputField], {
    description: 'What a run expects: the input fields of the trigger, no more than the graph declares.',
  })
  async inputFields(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return (await this.#isWhole(context, workflow)) ? (await this.revisions.of(context, workflow)).inputFields : [];
  }

  @FieldResolver(() => WorkflowCheck, { description: 'What a run of the saved graph would be told.' })
  async check(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    const { data } = await this.revisions.of(context, workflow);
    return this.workflows.check(data, { id: workflow.id, projectId: workflow.projectId });
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may edit the workflow (role editor and up).' })
  async canEdit(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    const role = workflow.viewersRole ?? (await roleLoader(context, this.access).load(workflow.projectId));
    return role !== null && isAllowed(role, 'workflow.update');
  }

  async #isWhole(context: RequestContext, workflow: Workflow): Promise<boolean> {
    const { id, revisionId } = workflow;
    const [graph, guide] = await Promise.all([
      revisionId === null ? 0 : this.revisions.bytesOf(context, revisionId),
      this.guides.bytesOf(context, workflow),
    ]);
    return this.pageBytes.fits(context, 'workflow', { id, bytes: graph + guide });
  }
}
