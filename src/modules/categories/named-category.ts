import type { Sql } from '../../platform/database/database.js';
import type { Faults } from '../../platform/errors/fields.js';

/** A category and a subcategory as a record holds them together. */
export interface NamedCategory {
  category: number | null;
  subcategory: number | null;
}

/** Notes a category that does not exist, and a subcategory that is not one of its own. */
export async function checkCategory(sql: Sql, faults: Faults, { category, subcategory }: NamedCategory): Promise<void> {
  if (category === null && subcategory === null) return;
  const [row] = await sql.query<{ hasCategory: boolean; hasSubcategory: boolean; belongs: boolean }>(
    `select exists (select 1 from category where id = $1) as "hasCategory",
            exists (select 1 from subcategory where id = $2) as "hasSubcategory",
            exists (select 1 from subcategory where id = $2 and category_id = $1) as belongs`,
    [category, subcategory],
  );
  const { hasCategory, hasSubcategory, belongs } = row!;
  if (category !== null && !hasCategory) faults.add('category', 'Object does not exist.');
  if (subcategory === null) return;
  if (!hasSubcategory) faults.add('subcategory', 'Object does not exist.');
  else if (!belongs && (category === null || hasCategory))
    faults.add('subcategory', 'Must be a subcategory of the category.');
}
