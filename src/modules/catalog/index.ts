import { accounts } from '../accounts/index.js';
import { categories } from '../categories/index.js';
import { marketplace } from '../marketplace/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { CatalogResolver } from './catalog.resolver.js';
import { CatalogService } from './catalog.service.js';
import { WorkflowBookmarkEntity } from './workflow-bookmark.entity.js';

export const catalog = defineModule({
  name: 'catalog',
  needs: { accounts, categories, marketplace, projects, workflowRuns, workflows },
  entities: [WorkflowBookmarkEntity],
  resolvers: [CatalogResolver],
  create({ database, currencies }, { workflows: { guides } }) {
    return {
      services: {},
      resolvers: [new CatalogResolver(new CatalogService(database, currencies), database, guides)],
    };
  },
});
