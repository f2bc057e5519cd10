import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import type { Faults } from '../../platform/errors/fields.js';
import type { CategoryTables } from './category-tables.js';

/** The category and the subcategory that an input assigns to a record. Null: none. */
export interface CategoryIds {
  categoryId: number | null;
  subcategoryId: number | null;
}

/** Adds faults for a category that does not exist and for a subcategory that does not belong to the category. */
export async function checkCategory(
  sql: Sql,
  faults: Faults,
  { categoryId: category, subcategoryId: subcategory }: CategoryIds,
): Promise<void> {
  if (category === null && subcategory === null) return;
  const { hasCategory, hasSubcategory, isInCategory } = await queryBuilder<CategoryTables>(sql)
    .selectNoFrom(({ exists, selectFrom }) => {
      const subcategoryRow = selectFrom('subcategory').select('id').where('id', '=', subcategory);
      return [
        exists(selectFrom('category').select('id').where('id', '=', category)).as('hasCategory'),
        exists(subcategoryRow).as('hasSubcategory'),
        exists(subcategoryRow.where('category_id', '=', category)).as('isInCategory'),
      ];
    })
    .executeTakeFirstOrThrow();
  if (category !== null && !hasCategory) faults.add('categoryId', 'Object does not exist.');
  if (subcategory === null) return;
  if (!hasSubcategory) faults.add('subcategoryId', 'Object does not exist.');
  else if (!isInCategory && (category === null || hasCategory))
    faults.add('subcategoryId', 'Must be a subcategory of the category.');
}
