import { accounts } from '../accounts/index.js';
import { categories } from '../categories/index.js';
import { marketplace } from '../marketplace/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { BookmarkResolver } from './bookmark.resolver.js';
import { CatalogResolver } from './catalog.resolver.js';
import { CatalogService } from './catalog.service.js';

export const catalog = defineModule({
  name: 'catalog',
  needs: { accounts, categories, marketplace, projects, workflowRuns, workflows },
  resolvers: [CatalogResolver, BookmarkResolver],
  create({ database, currencies }, { workflows: { guides } }) {
    return {
      services: {},
      resolvers: [
        new CatalogResolver(new CatalogService(database, currencies), database, guides),
        new BookmarkResolver(database),
      ],
    };
  },
});
