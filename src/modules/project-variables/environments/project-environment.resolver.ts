import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ProjectVariableService } from '../project-variable.service.js';
import { ProjectVariable } from '../project-variable.type.js';
import type { ProjectEnvironmentService } from './project-environment.service.js';
import { ProjectEnvironment, ProjectEnvironmentCreateInput, ProjectVariableValue } from './project-environment.type.js';
import { valuesLoader } from './variable-values-loader.js';

@Resolver(() => ProjectVariable)
export class ProjectEnvironmentResolver {
  constructor(
    private readonly environments: ProjectEnvironmentService,
    private readonly variables: ProjectVariableService,
  ) {}

  @Query(() => [ProjectEnvironment], {
    description: 'The environments of a project except `production`, by name, at most 10. Requires the role viewer.',
  })
  projectEnvironments(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
  ) {
    return this.environments.list(viewer, projectId);
  }

  @PayloadMutation({
    returns: { projectEnvironment: () => ProjectEnvironment },
    name: 'projectEnvironmentCreate',
    description:
      'Creates an environment. CONFLICT when the name exists or the project has 10 environments. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ProjectEnvironmentCreateInput, { description: 'The new environment.' })
    input: ProjectEnvironmentCreateInput,
  ) {
    return this.environments.create(viewer, input);
  }

  @PayloadMutation({
    returns: { projectEnvironment: () => ProjectEnvironment },
    name: 'projectEnvironmentDelete',
    description:
      'Deletes an environment with its values of variables and returns it. Runs that were accepted before keep their values; new runs and triggers that name it are refused. Requires the role editor.',
  })
  delete(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the environment: `ProjectEnvironment.id`.' }) id: number,
  ) {
    return this.environments.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { projectVariable: () => ProjectVariable },
    name: 'projectVariableValueSet',
    description:
      'Sets the value of a variable in an environment. Runs that were accepted before keep the earlier value. Requires the role editor.',
  })
  async setValue(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the variable: `ProjectVariable.id`.' }) id: number,
    @Arg('environmentId', () => Int, { description: 'The id of an environment of the project.' }) environmentId: number,
    @Arg('value', () => String, {
      nullable: true,
      description:
        'The value, by the rules of `ProjectVariableCreateInput.value`. Without it, or with null, the variable loses its value in the environment, and the value of `production` applies.',
    })
    value: string | null | undefined,
  ) {
    await this.environments.setValue(viewer, id, environmentId, value ?? null);
    return this.variables.get(viewer, id);
  }

  @FieldResolver(() => [ProjectVariableValue], {
    description: 'The values in environments other than `production`, by the name of the environment, at most 10.',
  })
  values(@Ctx() context: RequestContext, @Root() { id }: ProjectVariable) {
    return valuesLoader(context, this.environments).load(id);
  }
}
