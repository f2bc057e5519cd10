import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import { loadRow } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { Category } from './category.js';
import { READ_CATEGORIES, READ_SUBCATEGORIES, READ_SUBCATEGORIES_OF } from './category-reads.js';
import type { Subcategory } from './subcategory.js';

/** Loads the subcategories of a category, ordered by name, with one query for a whole list. */
export function subcategoryLoader(context: RequestContext, database: Database): DataLoader<number, Subcategory[]> {
  return context.loader(
    'category.subcategories',
    () =>
      new DataLoader<number, Subcategory[]>(async ids => {
        const groups = Map.groupBy(await READ_SUBCATEGORIES_OF(database, { ids }), row => row.categoryId);
        return ids.map(id => groups.get(id) ?? []);
      }),
  );
}

/** Loads a category by its id, with one query for a whole list. Null: it does not exist. */
export function categoryOf(context: RequestContext, database: Database, id: number | null): Promise<Category | null> {
  return loadRow(context, { name: 'category', read: ids => READ_CATEGORIES(database, { ids }) }, id);
}

/** Loads a subcategory by its id, with one query for a whole list. Null: it does not exist. */
export function subcategoryOf(
  context: RequestContext,
  database: Database,
  id: number | null,
): Promise<Subcategory | null> {
  return loadRow(context, { name: 'subcategory', read: ids => READ_SUBCATEGORIES(database, { ids }) }, id);
}
