import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from './category.js';
import type { CategoryService } from './category.service.js';
import { categoryOf } from './category-loaders.js';
import { Subcategory } from './subcategory.js';

const ID = { description: 'The id of the subcategory.' };
const NAME = { description: 'The name of the subcategory, 1-100 characters, unique within the category.' };

@Resolver(() => Subcategory)
export class SubcategoryResolver {
  constructor(
    private readonly categories: CategoryService,
    private readonly database: Database,
  ) {}

  @PayloadMutation({
    returns: { subcategory: () => Subcategory },
    name: 'subcategoryCreate',
    description:
      'Adds a subcategory. BAD_USER_INPUT when the name is taken or the category does not exist. Requires an administrator.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('categoryId', () => Int, { description: 'The id of the parent category.' }) category: number,
    @Arg('name', () => String, NAME) name: string,
  ) {
    return this.categories.createSubcategory(viewer, category, name);
  }

  @PayloadMutation({
    returns: { subcategory: () => Subcategory },
    name: 'subcategoryUpdate',
    description: 'Renames a subcategory. BAD_USER_INPUT when the name is taken. Requires an administrator.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('name', () => String, NAME) name: string,
  ) {
    return this.categories.updateSubcategory(viewer, id, name);
  }

  @PayloadMutation({
    returns: { subcategory: () => Subcategory },
    name: 'subcategoryDelete',
    description:
      'Deletes a subcategory and returns its last state. Scenarios and workflows with the subcategory lose it. Requires an administrator.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.categories.deleteSubcategory(viewer, id);
  }

  @FieldResolver(() => Category, { description: 'The parent category.' })
  async category(@Ctx() context: RequestContext, @Root() subcategory: Subcategory) {
    const category = await categoryOf(context, this.database, subcategory.categoryId);
    if (!category) throw new NotFoundError();
    return category;
  }

  @FieldResolver(() => Int, { description: 'The id of the parent category.' })
  categoryId(@Root() subcategory: Subcategory) {
    return subcategory.categoryId;
  }
}
