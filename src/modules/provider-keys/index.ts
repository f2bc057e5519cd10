import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ProjectModels } from './project-models.js';
import { ProviderKeyEntity } from './provider-key.entity.js';
import { ProviderKeyResolver } from './provider-key.resolver.js';
import { ProviderKeyService } from './provider-key.service.js';

export const providerKeys = defineModule({
  name: 'provider-keys',
  needs: { accounts, projects },
  entities: [ProviderKeyEntity],
  resolvers: [ProviderKeyResolver],
  create({ database, vault, models }, { projects: { access } }) {
    const service = new ProviderKeyService(database, access, vault, models);
    return {
      services: { providerKeys: service, projectModels: new ProjectModels(models, service) },
      resolvers: [new ProviderKeyResolver(service)],
    };
  },
});
