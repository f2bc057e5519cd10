import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
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
    description: 'The projects the caller is a member of. Administrators see all.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => ProjectFilter, { nullable: true, description: 'Which projects.' })
    filter: ProjectFilter | null,
    @Arg('order', () => ProjectOrder, {
      defaultValue: ProjectOrder.CREATED_AT_DESC,
      description: 'Default: newest first.',
    })
    order: ProjectOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.projects.list(viewer, filter, order, page);
  }

  @Query(() => Project, { name: 'project', description: 'One project. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The project.' }) id: number) {
    return this.projects.get(viewer, id);
  }

  @Mutation(() => Project, { name: 'projectCreate', description: 'Creates a project; the caller becomes its owner.' })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ProjectCreateInput, { description: 'The new project.' }) input: ProjectCreateInput,
  ) {
    return this.projects.create(viewer, input);
  }

  @Mutation(() => Project, { name: 'projectUpdate', description: 'Changes a project. Needs the role admin.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The project.' }) id: number,
    @Arg('input', () => ProjectUpdateInput, { description: 'What changes.' }) input: ProjectUpdateInput,
  ) {
    return this.projects.update(viewer, id, input);
  }

  @Mutation(() => Project, {
    name: 'projectDelete',
    description: 'Deletes a project with all it holds, and answers what it was. Needs the role owner.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The project.' }) id: number) {
    return this.projects.delete(viewer, id);
  }

  @Mutation(() => Project, {
    name: 'projectStopwordsSet',
    description:
      'Replaces the stopwords of a project: trimmed, lower-cased, duplicates dropped. Needs the role editor.',
  })
  setStopwords(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The project.' }) id: number,
    @Arg('stopwords', () => [String], { description: 'At most 10,000 words of at most 255 characters.' })
    stopwords: string[],
  ) {
    return this.projects.setStopwords(viewer, id, stopwords);
  }

  @FieldResolver(() => [String], {
    description:
      'Words that keyword extraction leaves out: trimmed, lower-cased, without duplicates, at most 10,000. Empty where they are shortened.',
  })
  async stopwords(@Ctx() context: RequestContext, @Root() project: Project) {
    return (await this.payloads.of(context, project))?.stopwords ?? [];
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its stopwords because they do not fit into the page with those of the projects before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() project: Project) {
    return !(await this.payloads.isWhole(context, project));
  }

  @FieldResolver(() => Money, { description: 'What the project has spent so far.' })
  totalSpent(@Root() project: Project) {
    return this.projects.totalSpent(project);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may edit the project (role editor and up).' })
  async canEdit(@Ctx() context: RequestContext, @Root() project: Project) {
    const role = project.viewersRole ?? (await roleLoader(context, this.access).load(project.id));
    return role !== null && isAllowed(role, 'workflow.update');
  }
}
