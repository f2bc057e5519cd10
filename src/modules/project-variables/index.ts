import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ProjectEnvironmentEntity } from './environments/project-environment.entity.js';
import { ProjectEnvironmentResolver } from './environments/project-environment.resolver.js';
import { ProjectEnvironmentService } from './environments/project-environment.service.js';
import { ProjectVariableValueEntity } from './environments/project-variable-value.entity.js';
import { ProjectVariableEntity } from './project-variable.entity.js';
import { ProjectVariableResolver } from './project-variable.resolver.js';
import { ProjectVariableService } from './project-variable.service.js';
import { VariableReader } from './variable-reader.js';

/** Project variables and environments: the named values that workflows use as `{{ env.NAME }}`. */
export const projectVariables = defineModule({
  name: 'project-variables',
  needs: { accounts, projects },
  entities: [ProjectVariableEntity, ProjectEnvironmentEntity, ProjectVariableValueEntity],
  resolvers: [ProjectVariableResolver, ProjectEnvironmentResolver],
  create({ database, vault }, { projects: { access } }) {
    const service = new ProjectVariableService(database, access, vault);
    const environments = new ProjectEnvironmentService(database, access, vault);
    return {
      services: { variableReader: new VariableReader(database, vault) },
      resolvers: [new ProjectVariableResolver(service), new ProjectEnvironmentResolver(environments, service)],
    };
  },
});
