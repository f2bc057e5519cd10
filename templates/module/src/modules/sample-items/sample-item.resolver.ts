import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { SampleItemCreateInput, SampleItemPage } from './sample-item.inputs.js';
import { SampleItem } from './sample-item.js';
import type { SampleItemService } from './sample-item.service.js';

@Resolver(() => SampleItem)
export class SampleItemResolver {
  constructor(private readonly sampleItems: SampleItemService) {}

  @Query(() => SampleItemPage, { name: 'sampleItems', description: 'The sample items of a project, newest first.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.sampleItems.list(viewer, projectId, page);
  }

  @PayloadMutation({
    returns: { sampleItem: () => SampleItem },
    name: 'sampleItemCreate',
    description: 'Creates a sample item. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => SampleItemCreateInput, { description: 'The new sample item.' }) input: SampleItemCreateInput,
  ) {
    return this.sampleItems.create(viewer, input);
  }
}
