import type { Table } from '../../platform/database/typed-queries.js';
import type { Category } from './category.js';
import type { Subcategory } from './subcategory.js';

/** Tables that the module's queries use. */
export interface CategoryTables {
  category: Table<Category>;
  subcategory: Table<Subcategory>;
}
