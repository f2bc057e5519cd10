import type { Database, Row } from '../../platform/database/database.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import { Category } from './category.js';
import { Subcategory } from './subcategory.js';

/** The list that everybody reads and administrators of the service keep. */
export class CategoryService {
  constructor(private readonly database: Database) {}

  /** All categories by name. */
  async list(_viewer: Viewer, page: PageArgs): Promise<Page<Category>> {
    const { limit, offset } = window(page);
    const [items, total] = await this.database.orm.em
      .fork()
      .createQueryBuilder(Category, 'c')
      .orderBy({ name: 'asc', id: 'asc' })
      .limit(limit)
      .offset(offset)
      .getResultAndCount();
    return { ...page, total, items };
  }

  async create(viewer: Viewer, name: string): Promise<Category> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await this.#write('insert into category (name) values ($1) returning id', [name.trim()]);
    return this.#load(Category, row);
  }

  async update(viewer: Viewer, id: number, name: string): Promise<Category> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await this.#write('update category set name = $2 where id = $1 returning id', [id, name.trim()]);
    return this.#load(Category, row);
  }

  /** Deletes a category with its subcategories; one that scenarios use stays. Workflows that bear it have none then. */
  async delete(viewer: Viewer, id: number): Promise<Category> {
    checkAdministrator(viewer);
    const category = await this.#load(Category, { id });
    await this.#write('delete from category where id = $1', [id]);
    return category;
  }

  async createSubcategory(viewer: Viewer, category: number, name: string): Promise<Subcategory> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await this.#write(
      'insert into subcategory (category_id, name) select id, $2 from category where id = $1 returning id',
      [category, name.trim()],
    );
    if (!row) throw new InvalidInputError({ category: ['Object does not exist.'] });
    return this.#load(Subcategory, row);
  }

  async updateSubcategory(viewer: Viewer, id: number, name: string): Promise<Subcategory> {
    checkAdministrator(viewer);
    checkName(name);
    const row = await this.#write('update subcategory set name = $2 where id = $1 returning id', [id, name.trim()]);
    return this.#load(Subcategory, row);
  }

  /** Deletes a subcategory; what bears it has none then. */
  async deleteSubcategory(viewer: Viewer, id: number): Promise<Subcategory> {
    checkAdministrator(viewer);
    const subcategory = await this.#load(Subcategory, { id });
    await this.#write('delete from subcategory where id = $1', [id]);
    return subcategory;
  }

  async #load<T extends Category | Subcategory>(entity: new () => T, row: Row | undefined): Promise<T> {
    const found = row && (await this.database.orm.em.fork().findOne(entity, { id: row.id } as never));
    if (!found) throw new NotFoundError();
    return found as T;
  }

  /** One statement. The database keeps names unique and categories in use. */
  async #write(statement: string, values: unknown[]): Promise<Row | undefined> {
    try {
      const [row] = await this.database.query(statement, values);
      return row;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === '23505') throw new InvalidInputError({ name: ['This name is taken.'] });
      if (code === '23503') throw new ConflictError('Scenarios use this category.');
      throw error;
    }
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
