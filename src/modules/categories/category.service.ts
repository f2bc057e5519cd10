import type { Database } from '../../platform/database/database.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-errors.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import type { Category } from './category.js';
import { CATEGORY_PAGE, CATEGORY_TOTAL, READ_CATEGORIES, READ_SUBCATEGORIES } from './category-reads.js';
import type { CategoryTables } from './category-tables.js';
import type { Subcategory } from './subcategory.js';

/** Manages categories. All users can read them; changes require an administrator. */
export class CategoryService {
  constructor(private readonly database: Database) {}

  /** Lists all categories, by name. */
  async list(_viewer: Viewer, page: PageArgs): Promise<Page<Category>> {
    const [items, [countRow]] = await Promise.all([
      CATEGORY_PAGE(this.database, toLimitOffset(page)),
      CATEGORY_TOTAL(this.database, {}),
    ]);
    return { ...page, total: countRow!.total, items };
  }

  async create(viewer: Viewer, name: string): Promise<Category> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await executeChange(this.#queries.insertInto('category').values({ name: name.trim() }).returning('id'));
    return this.#category(row);
  }

  async update(viewer: Viewer, id: number, name: string): Promise<Category> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await executeChange(
      this.#queries.updateTable('category').set({ name: name.trim() }).where('id', '=', id).returning('id'),
    );
    return this.#category(row);
  }

  /**
   * Deletes a category with its subcategories. Workflows with the category lose it.
   * @throws ConflictError if scenarios use the category
   */
  async delete(viewer: Viewer, id: number): Promise<Category> {
    checkAdministrator(viewer);
    const category = await this.#category({ id });
    await executeChange(this.#queries.deleteFrom('category').where('id', '=', id).returning('id'));
    return category;
  }

  async createSubcategory(viewer: Viewer, category: number, name: string): Promise<Subcategory> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await executeChange(
      this.#queries
        .insertInto('subcategory')
        .columns(['category_id', 'name'])
        .expression(from =>
          from
            .selectFrom('category')
            .select(({ val }) => ['id', val(name.trim()).as('name')])
            .where('id', '=', category),
        )
        .returning('id'),
    );
    if (!row) throw new InvalidInputError({ categoryId: ['Object does not exist.'] });
    return this.#subcategory(row);
  }

  async updateSubcategory(viewer: Viewer, id: number, name: string): Promise<Subcategory> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await executeChange(
      this.#queries.updateTable('subcategory').set({ name: name.trim() }).where('id', '=', id).returning('id'),
    );
    return this.#subcategory(row);
  }

  /** Deletes a subcategory. Scenarios and workflows with the subcategory lose it. */
  async deleteSubcategory(viewer: Viewer, id: number): Promise<Subcategory> {
    checkAdministrator(viewer);
    const subcategory = await this.#subcategory({ id });
    await executeChange(this.#queries.deleteFrom('subcategory').where('id', '=', id).returning('id'));
    return subcategory;
  }

  get #queries() {
    return queryBuilder<CategoryTables>(this.database);
  }

  async #category(row: { id: number } | undefined): Promise<Category> {
    const [category] = row ? await READ_CATEGORIES(this.database, { ids: [row.id] }) : [];
    if (!category) throw new NotFoundError();
    return category;
  }

  async #subcategory(row: { id: number } | undefined): Promise<Subcategory> {
    const [subcategory] = row ? await READ_SUBCATEGORIES(this.database, { ids: [row.id] }) : [];
    if (!subcategory) throw new NotFoundError();
    return subcategory;
  }
}

/**
 * Runs a statement that changes one row, and returns that row. Converts violations of the unique and foreign key constraints
 * to client errors.
 */
async function executeChange(query: {
  executeTakeFirst(): Promise<{ id: number } | undefined>;
}): Promise<{ id: number } | undefined> {
  try {
    return await query.executeTakeFirst();
  } catch (error) {
    if (isUniqueViolation(error)) throw new InvalidInputError({ name: ['This name is taken.'] });
    if (isForeignKeyViolation(error))
      throw new ConflictError('Scenarios use this category. Assign another category to them first.');
    throw error;
  }
}

function checkAdministrator(viewer: Viewer): void {
  if (!viewer.isAdmin) throw new ForbiddenError();
}

function checkName(name: string): void {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: 100 });
  faults.throwIfAny();
}
