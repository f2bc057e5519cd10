import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { Money } from '../../platform/money/money.type.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { ProjectAccess } from './access.js';
import { ProjectCreateInput, ProjectFilter, ProjectOrder, ProjectPage, ProjectUpdateInput } from './project.inputs.js';
import { Project } from './project.js';
import type { ProjectService } from './project.service.js';
import { roleLoader } from './project-loaders.js';
import { isAllowed } from './rights.js';

@Resolver(() => Project)
export class ProjectResolver {
  constructor(
    private readonly projects: ProjectService,
    private readonly access: ProjectAccess,
    private readonly payloads: ListPayloads<Required<Pick<Project, 'stopwords'>>>,
  ) {}

  @Query(() => ProjectPage, {
    name: 'projects',
    description: 'The projects of which the caller is a member. Administrators see all projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => ProjectFilter, {
      nullable: true,
      description: 'Conditions that listed projects match. Default: all projects.',
    })
    filter: ProjectFilter | null,
    @Arg('order', () => ProjectOrder, {
      defaultValue: ProjectOrder.CREATED_AT_DESC,
      description: 'The order of the projects. Default: newest first.',
    })
    order: ProjectOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.projects.list(viewer, filter, order, page);
  }

  @Query(() => Project, {
    name: 'project',
    description: 'One project. NOT_FOUND when the caller is not a member. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The id of the project.' }) id: number) {
    return this.projects.get(viewer, id);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectCreate',
    description: 'Creates a project. The caller becomes its owner.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ProjectCreateInput, { description: 'The new project.' }) input: ProjectCreateInput,
  ) {
    return this.projects.create(viewer, input);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectUpdate',
    description: 'Changes a project. Requires the role admin.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the project.' }) id: number,
    @Arg('input', () => ProjectUpdateInput, { description: 'The fields to change.' }) input: ProjectUpdateInput,
  ) {
    return this.projects.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectDelete',
    description: 'Deletes a project with all its contents and returns its last state. Requires the role owner.',
  })
  delete(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the project.' }) id: number,
  ) {
    return this.projects.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectStopwordsSet',
    description:
      'Replaces the stopwords of a project. Words are trimmed and lower-cased; empty words and duplicates are dropped. Requires the role editor.',
  })
  setStopwords(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the project.' }) id: number,
    @Arg('stopwords', () => [String], {
      description: 'The new stopwords: at most 10,000 words of at most 255 characters.',
    })
    stopwords: string[],
  ) {
    return this.projects.setStopwords(viewer, id, stopwords);
  }

  @FieldResolver(() => [String], {
    description:
      'Words that keyword extraction ignores, in lower case, at most 10,000. Empty if `isShortened` is true.',
  })
  async stopwords(@Ctx() context: RequestContext, @Root() project: Project) {
    return (await this.payloads.of(context, project))?.stopwords ?? [];
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits the stopwords of this project because the page would exceed its size limit. Query the project by id to read them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() project: Project) {
    return !(await this.payloads.isWhole(context, project));
  }

  @FieldResolver(() => Money, { description: 'The total amount that the project has spent.' })
  totalSpent(@Root() project: Project) {
    return this.projects.totalSpent(project);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller has at least the role editor in the project.' })
  async canEdit(@Ctx() context: RequestContext, @Root() project: Project) {
    const role = project.viewersRole ?? (await roleLoader(context, this.access).load(project.id));
    return role !== null && isAllowed(role, 'workflow.update');
  }
}
