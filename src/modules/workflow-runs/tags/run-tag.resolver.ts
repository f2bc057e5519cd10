import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { RunTagService } from './run-tag.service.js';
import { TAGS } from './run-tag-names.js';

@Resolver(() => WorkflowRun)
export class RunTagResolver {
  constructor(private readonly tags: RunTagService) {}

  @PayloadMutation({
    returns: { workflowRun: () => WorkflowRun },
    name: 'workflowRunTagsSet',
    description:
      'Replaces the tags of a run, in any state. BAD_USER_INPUT when a tag is empty, longer than 64 characters or has control characters, or when there are more than 20. Requires the role editor.',
  })
  setTags(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('tags', () => [String], {
      description: `${TAGS} Spaces around a tag are removed. An empty list removes all tags.`,
    })
    tags: string[],
    @Arg('workflowId', () => Int, {
      nullable: true,
      description: 'Id of a workflow. If given, the run must belong to it, otherwise NOT_FOUND.',
    })
    workflowId: number | null,
  ) {
    return this.tags.set(viewer, id, tags, workflowId);
  }

  @FieldResolver(() => [String], { name: 'tags', description: `${TAGS} In the order of the text.` })
  tagsOf(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.tags.of(context, run.id);
  }
}
