import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Workflow } from '../workflows/workflow.js';
import type { PublicationService } from './publication.service.js';

const ID = { description: 'The id of the workflow.' };

@Resolver()
export class PublicationResolver {
  constructor(private readonly publications: PublicationService) {}

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowPublish',
    description:
      'Publishes a workflow on the marketplace under a permanent slug. BAD_USER_INPUT lists everything that is missing: market title, short description, languages, a run marked as the template. Has no effect on a published workflow. Requires the role admin.',
  })
  publish(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.publications.publish(viewer, id);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowUnpublish',
    description:
      'Removes a workflow from the marketplace. Copies remain and continue to pay the commission. Has no effect on an unpublished workflow. Requires the role admin.',
  })
  unpublish(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.publications.unpublish(viewer, id);
  }
}
