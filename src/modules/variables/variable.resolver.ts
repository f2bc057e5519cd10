import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { VariableCreateInput, VariableFilter, VariablePage, VariableUpdateInput } from './variable.inputs.js';
import { Variable } from './variable.js';
import type { VariableService } from './variable.service.js';
import { VariableName } from './variable-name.type.js';

const ID = { description: 'The variable.' };

@Resolver(() => Variable)
export class VariableResolver {
  constructor(
    private readonly variables: VariableService,
    private readonly database: Database,
    private readonly payloads: ListPayloads<Pick<Variable, 'variableNames'>>,
  ) {}

  @Query(() => VariablePage, {
    name: 'variables',
    description: 'The variables of the caller’s projects, by project and position. Copies of runs are left out.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => VariableFilter, { nullable: true, description: 'Which variables.' })
    filter: VariableFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.variables.list(viewer, filter, page);
  }

  @Query(() => Variable, { name: 'variable', description: 'One variable. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.variables.get(viewer, id);
  }

  @Mutation(() => Variable, {
    name: 'variableCreate',
    description: 'Creates a variable, last in its project. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => VariableCreateInput, { description: 'The new variable.' }) input: VariableCreateInput,
  ) {
    return this.variables.create(viewer, input);
  }

  @Mutation(() => Variable, { name: 'variableUpdate', description: 'Changes a variable. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => VariableUpdateInput, { description: 'What changes.' }) input: VariableUpdateInput,
  ) {
    return this.variables.update(viewer, id, input);
  }

  @Mutation(() => Variable, {
    name: 'variableDelete',
    description: 'Deletes a variable; placeholders that name it find nothing then. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.variables.delete(viewer, id);
  }

  @Mutation(() => Variable, {
    name: 'variableReorder',
    description: 'Moves a variable; the others shift. Needs the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, { description: 'Target position from 1; outside 1…n it is clamped.' }) sortId: number,
  ) {
    return this.variables.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return projectOf(context, this.database, variable.projectId);
  }

  @FieldResolver(() => Int, { description: 'The owning project’s id.' })
  projectId(@Root() variable: Variable) {
    return variable.projectId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return !(await this.payloads.isWhole(context, variable));
  }

  @FieldResolver(() => [VariableName], {
    description: 'The values in their order; at most 1,000. Empty where it is shortened.',
  })
  async variableNames(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return (await this.payloads.of(context, variable))?.variableNames ?? [];
  }
}
