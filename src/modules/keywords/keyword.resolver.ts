import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { KeywordCreateInput, KeywordFilter, KeywordOrder, KeywordPage, KeywordUpdateInput } from './keyword.inputs.js';
import { Keyword } from './keyword.js';
import type { KeywordService } from './keyword.service.js';

const ID = { description: 'Id of the keyword.' };

@Resolver(() => Keyword)
export class KeywordResolver {
  constructor(private readonly keywords: KeywordService) {}

  @Query(() => KeywordPage, {
    name: 'keywords',
    description: 'The keywords of the caller’s projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => KeywordFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all keywords.',
    })
    filter: KeywordFilter | null,
    @Arg('order', () => KeywordOrder, {
      defaultValue: KeywordOrder.CREATED_AT_DESC,
      description: 'Sort order. Default: CREATED_AT_DESC.',
    })
    order: KeywordOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.keywords.list(viewer, filter, order, page);
  }

  @Query(() => Keyword, {
    name: 'keyword',
    description: 'One keyword. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keywords.get(viewer, id);
  }

  @PayloadMutation({
    returns: { keyword: () => Keyword },
    name: 'keywordCreate',
    description: 'Creates a keyword. Fails with CONFLICT if its keyword run has not ended. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => KeywordCreateInput, { description: 'The new keyword.' }) input: KeywordCreateInput,
  ) {
    return this.keywords.create(viewer, input);
  }

  @PayloadMutation({
    returns: { keyword: () => Keyword },
    name: 'keywordUpdate',
    description: 'Changes a keyword. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => KeywordUpdateInput, { description: 'The changes.' }) input: KeywordUpdateInput,
  ) {
    return this.keywords.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { keyword: () => Keyword },
    name: 'keywordDelete',
    description: 'Deletes a keyword and returns it. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keywords.delete(viewer, id);
  }
}
