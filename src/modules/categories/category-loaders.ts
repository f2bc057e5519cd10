import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Subcategory } from './subcategory.js';

/** The subcategories of a category by name, one query for a whole list. */
export function subcategoryLoader(context: RequestContext, database: Database): DataLoader<number, Subcategory[]> {
  return context.loader(
    'category.subcategories',
    () =>
      new DataLoader<number, Subcategory[]>(async ids => {
        const rows = await database.orm.em
          .fork()
          .find(Subcategory, { category: { $in: [...ids] } }, { orderBy: { name: 'asc', id: 'asc' } });
        const groups = Map.groupBy(rows, row => row.category.id);
        return ids.map(id => groups.get(id) ?? []);
      }),
  );
}
