import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { KeywordCreateInput, KeywordFilter, KeywordOrder, KeywordPage, KeywordUpdateInput } from './keyword.inputs.js';
import { Keyword } from './keyword.js';
import type { KeywordService } from './keyword.service.js';

const ID = { description: 'The keyword.' };

@Resolver(() => Keyword)
export class KeywordResolver {
  constructor(private readonly keywords: KeywordService) {}

  @Query(() => KeywordPage, {
    name: 'keywords',
    description: 'The keywords of the caller’s projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => KeywordFilter, { nullable: true, description: 'Which keywords.' })
    filter: KeywordFilter | null,
    @Arg('order', () => KeywordOrder, {
      defaultValue: KeywordOrder.CREATED_AT_DESC,
      description: 'Default: newest first; of those found together the best first.',
    })
    order: KeywordOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.keywords.list(viewer, filter, order, page);
  }

  @Query(() => Keyword, { name: 'keyword', description: 'One keyword. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keywords.get(viewer, id);
  }

  @Mutation(() => Keyword, {
    name: 'keywordCreate',
    description: 'Adds a keyword by hand. CONFLICT when its run has not ended yet. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => KeywordCreateInput, { description: 'The new keyword.' }) input: KeywordCreateInput,
  ) {
    return this.keywords.create(viewer, input);
  }

  @Mutation(() => Keyword, { name: 'keywordUpdate', description: 'Changes a keyword. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => KeywordUpdateInput, { description: 'What changes.' }) input: KeywordUpdateInput,
  ) {
    return this.keywords.update(viewer, id, input);
  }

  @Mutation(() => Keyword, { name: 'keywordDelete', description: 'Deletes a keyword. Needs the role editor.' })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keywords.delete(viewer, id);
  }
}
