import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { selectedFields } from '../../platform/graphql/selected-fields.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { VariableCreateInput, VariableFilter, VariablePage, VariableUpdateInput } from './variable.inputs.js';
import { Variable } from './variable.js';
import type { VariableService } from './variable.service.js';
import { VariableName } from './variable-name.type.js';

const ID = { description: 'Id of the variable.' };

@Resolver(() => Variable)
export class VariableResolver {
  constructor(
    private readonly variables: VariableService,
    private readonly database: Database,
    private readonly payloads: ListPayloads<Pick<Variable, 'variableNames'>>,
  ) {}

  @Query(() => VariablePage, {
    name: 'variables',
    description:
      'The variables of the caller’s projects, ordered by project and position. By default, excludes the copies that scenario runs make.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => VariableFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all variables except copies of scenario runs.',
    })
    filter: VariableFilter | null,
    @Args(() => PageArguments) page: PageArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.variables.list(viewer, filter, page, selectedFields(info));
  }

  @Query(() => Variable, {
    name: 'variable',
    description: 'One variable. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.variables.get(viewer, id);
  }

  @PayloadMutation({
    returns: { variable: () => Variable },
    name: 'variableCreate',
    description: 'Creates a variable at the last position of its project. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => VariableCreateInput, { description: 'The new variable.' }) input: VariableCreateInput,
  ) {
    return this.variables.create(viewer, input);
  }

  @PayloadMutation({
    returns: { variable: () => Variable },
    name: 'variableUpdate',
    description: 'Changes a variable. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => VariableUpdateInput, { description: 'The changes.' }) input: VariableUpdateInput,
  ) {
    return this.variables.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { variable: () => Variable },
    name: 'variableDelete',
    description:
      'Deletes a variable and returns it. Placeholders that refer to it no longer resolve. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.variables.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { variable: () => Variable },
    name: 'variableReorder',
    description: 'Moves a variable to another position and shifts the variables in between. Requires the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, {
      description: 'Target position, from 1. A value outside 1 to the number of variables is clamped.',
    })
    sortId: number,
  ) {
    return this.variables.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The project that owns the variable.' })
  project(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return projectOf(context, this.database, variable.projectId);
  }

  @FieldResolver(() => Int, { description: 'Id of the project that owns the variable.' })
  projectId(@Root() variable: Variable) {
    return variable.projectId;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted `variableNames` because the preceding items filled the size limit of the page. Query the variable by id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return !(await this.payloads.isWhole(context, variable));
  }

  @FieldResolver(() => [VariableName], {
    description: 'The named values in order, at most 1,000. Empty if `isShortened`.',
  })
  async variableNames(@Ctx() context: RequestContext, @Root() variable: Variable) {
    return (await this.payloads.of(context, variable))?.variableNames ?? [];
  }
}
