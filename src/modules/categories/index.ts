import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { Category } from './category.js';
import { CategoryResolver } from './category.resolver.js';
import { CategoryService } from './category.service.js';
import { Subcategory } from './subcategory.js';
import { SubcategoryResolver } from './subcategory.resolver.js';

export const categories = defineModule({
  name: 'categories',
  needs: { accounts },
  entities: [Category, Subcategory],
  resolvers: [CategoryResolver, SubcategoryResolver],
  create({ database }) {
    const service = new CategoryService(database);
    return {
      services: {},
      resolvers: [new CategoryResolver(service, database), new SubcategoryResolver(service, database)],
    };
  },
});
