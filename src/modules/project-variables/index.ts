import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ProjectEnvironment } from './project-environment.js';
import { ProjectVariableEntity } from './project-variable.entity.js';
import { ProjectVariableResolver } from './project-variable.resolver.js';
import { ProjectVariableService } from './project-variable.service.js';

export const projectVariables = defineModule({
  name: 'project-variables',
  needs: { accounts, projects },
  entities: [ProjectVariableEntity],
  resolvers: [ProjectVariableResolver],
  create({ database, vault }, { projects: { access } }) {
    const service = new ProjectVariableService(database, access, vault);
    return {
      services: { environment: new ProjectEnvironment(database, vault) },
      resolvers: [new ProjectVariableResolver(service)],
    };
  },
});
