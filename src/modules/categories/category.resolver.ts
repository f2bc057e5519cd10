import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from './category.js';
import type { CategoryService } from './category.service.js';
import { subcategoryLoader } from './category-loaders.js';
import { CategoryPage } from './category-page.type.js';
import { Subcategory } from './subcategory.js';

const ID = { description: 'The id of the category.' };
const NAME = { description: 'The name of the category, 1-100 characters, unique.' };

@Resolver(() => Category)
export class CategoryResolver {
  constructor(
    private readonly categories: CategoryService,
    private readonly database: Database,
  ) {}

  @Query(() => CategoryPage, { name: 'categories', description: 'All categories, by name.' })
  list(@Ctx() { viewer }: RequestContext, @Args(() => PageArguments) page: PageArguments) {
    return this.categories.list(viewer, page);
  }

  @PayloadMutation({
    returns: { category: () => Category },
    name: 'categoryCreate',
    description: 'Adds a category. BAD_USER_INPUT when the name is taken. Requires an administrator.',
  })
  create(@Ctx() { viewer }: RequestContext, @Arg('name', () => String, NAME) name: string) {
    return this.categories.create(viewer, name);
  }

  @PayloadMutation({
    returns: { category: () => Category },
    name: 'categoryUpdate',
    description: 'Renames a category. BAD_USER_INPUT when the name is taken. Requires an administrator.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('name', () => String, NAME) name: string,
  ) {
    return this.categories.update(viewer, id, name);
  }

  @PayloadMutation({
    returns: { category: () => Category },
    name: 'categoryDelete',
    description:
      'Deletes a category with its subcategories and returns its last state. Workflows with the category lose it. CONFLICT when scenarios use it. Requires an administrator.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.categories.delete(viewer, id);
  }

  @FieldResolver(() => [Subcategory], {
    description: 'All subcategories, by name: at most as many as administrators have added.',
  })
  subcategories(@Ctx() context: RequestContext, @Root() category: Category) {
    return subcategoryLoader(context, this.database).load(category.id);
  }
}
