import type { Sql } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import type { Faults } from '../../platform/errors/fields.js';
import type { CategoryTables } from './category-tables.js';

/** The ids of the category and the subcategory of a record. */
export interface NamedCategory {
  category: number | null;
  subcategory: number | null;
}

/** Adds faults for a category that does not exist and for a subcategory that does not belong to the category. */
export async function checkCategory(sql: Sql, faults: Faults, { category, subcategory }: NamedCategory): Promise<void> {
  if (category === null && subcategory === null) return;
  const { hasCategory, hasSubcategory, belongs } = await queries<CategoryTables>(sql)
    .selectNoFrom(({ exists, selectFrom }) => {
      const found = selectFrom('subcategory').select('id').where('id', '=', subcategory);
      return [
        exists(selectFrom('category').select('id').where('id', '=', category)).as('hasCategory'),
        exists(found).as('hasSubcategory'),
        exists(found.where('category_id', '=', category)).as('belongs'),
      ];
    })
    .executeTakeFirstOrThrow();
  if (category !== null && !hasCategory) faults.add('category', 'Object does not exist.');
  if (subcategory === null) return;
  if (!hasSubcategory) faults.add('subcategory', 'Object does not exist.');
  else if (!belongs && (category === null || hasCategory))
    faults.add('subcategory', 'Must be a subcategory of the category.');
}
