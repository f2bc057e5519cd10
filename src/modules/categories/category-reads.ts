import { keyedQuery, type Placeholder, preparedQuery } from '../../platform/database/prepared-queries.js';
import { anyInt, type QueryCreator, rowCount } from '../../platform/database/typed-queries.js';
import type { CategoryTables } from './category-tables.js';
import type { Subcategory } from './subcategory.js';

interface Ids {
  ids: readonly number[];
}

export const READ_CATEGORIES = keyedQuery(
  'categories-by-id',
  (tables: QueryCreator<CategoryTables>, value: Placeholder<Ids>) =>
    tables
      .selectFrom('category')
      .select(['id', 'name'])
      .where('id', '=', anyInt(value('ids'))),
);

export const READ_SUBCATEGORIES = keyedQuery(
  'subcategories-by-id',
  (tables: QueryCreator<CategoryTables>, value: Placeholder<Ids>) =>
    selectSubcategories(tables).where('id', '=', anyInt(value('ids'))),
);

/** Reads the subcategories of categories, by name. */
export const READ_SUBCATEGORIES_OF = keyedQuery(
  'subcategories-of',
  (tables: QueryCreator<CategoryTables>, value: Placeholder<Ids>) =>
    selectSubcategories(tables)
      .where('category_id', '=', anyInt(value('ids')))
      .orderBy('name')
      .orderBy('id'),
);

/** Reads a page of all categories, by name. */
export const CATEGORY_PAGE = preparedQuery(
  'category-page',
  (tables: QueryCreator<CategoryTables>, value: Placeholder<{ limit: number; offset: number }>) =>
    tables
      .selectFrom('category')
      .select(['id', 'name'])
      .orderBy('name')
      .orderBy('id')
      .limit(value('limit'))
      .offset(value('offset')),
);

export const CATEGORY_TOTAL = preparedQuery('category-total', (tables: QueryCreator<CategoryTables>) =>
  tables.selectFrom('category').select(rowCount().as('total')),
);

function selectSubcategories(tables: QueryCreator<CategoryTables>) {
  return tables.selectFrom('subcategory').select(['id', 'category_id as categoryId', 'name']).$castTo<Subcategory>();
}
