import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { ProjectVariableCreateInput, ProjectVariableUpdateInput } from './project-variable.inputs.js';
import type { ProjectVariableService } from './project-variable.service.js';
import { ProjectVariable, ProjectVariablePage } from './project-variable.type.js';

const ID = { description: 'The id of the variable: `ProjectVariable.id`.' };

@Resolver(() => ProjectVariable)
export class ProjectVariableResolver {
  constructor(private readonly variables: ProjectVariableService) {}

  @Query(() => ProjectVariablePage, {
    name: 'projectVariables',
    description: 'The variables of a project by name, at most 200. Values of secrets are masked.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.variables.list(viewer, projectId, page);
  }

  @PayloadMutation({
    returns: { projectVariable: () => ProjectVariable },
    name: 'projectVariableCreate',
    description:
      'Creates a variable that the workflows of the project use as `{{ env.NAME }}`. CONFLICT when the name exists or the project has 200 variables. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ProjectVariableCreateInput, { description: 'The new variable.' })
    input: ProjectVariableCreateInput,
  ) {
    return this.variables.create(viewer, input);
  }

  @PayloadMutation({
    returns: { projectVariable: () => ProjectVariable },
    name: 'projectVariableUpdate',
    description:
      'Changes a variable. Runs that were accepted before keep the earlier value. CONFLICT when the name exists. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ProjectVariableUpdateInput, { description: 'The changes.' }) input: ProjectVariableUpdateInput,
  ) {
    return this.variables.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { projectVariable: () => ProjectVariable },
    name: 'projectVariableDelete',
    description:
      'Deletes a variable and returns its last state. Runs that were accepted before keep its value. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.variables.delete(viewer, id);
  }
}
