import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ProjectModels } from './project-models.js';
import { ProviderKeyEntity } from './provider-key.entity.js';
import { ProviderKeyResolver } from './provider-key.resolver.js';
import { ProviderKeyService } from './provider-key.service.js';
import { ServedModels } from './served-models.js';

/** Keys of model providers that projects attach, and the models that these keys and the service provide. */
export const providerKeys = defineModule({
  name: 'provider-keys',
  needs: { accounts, projects },
  entities: [ProviderKeyEntity],
  resolvers: [ProviderKeyResolver],
  create({ database, vault, models }, { projects: { access } }) {
    const service = new ProviderKeyService(database, access, vault, models);
    const projectModels = new ProjectModels(models, service);
    const servedModels = new ServedModels(models, projectId => projectModels.of(projectId));
    return {
      services: { providerKeys: service, projectModels, servedModels },
      resolvers: [new ProviderKeyResolver(service)],
    };
  },
});
