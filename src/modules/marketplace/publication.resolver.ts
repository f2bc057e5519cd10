import { Arg, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../accounts/request-context.js';
import { Workflow } from '../workflows/workflow.js';
import type { PublicationService } from './publication.service.js';

const ID = { description: 'The workflow.' };

@Resolver()
export class PublicationResolver {
  constructor(private readonly publications: PublicationService) {}

  @Mutation(() => Workflow, {
    name: 'workflowPublish',
    description:
      'Puts a workflow on the marketplace under a slug that stays. BAD_USER_INPUT names all that is missing: market title, short description, languages, a run marked as template. Harmless on a published one. Needs the role admin.',
  })
  publish(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.publications.publish(viewer, id);
  }

  @Mutation(() => Workflow, {
    name: 'workflowUnpublish',
    description:
      'Takes a workflow off the marketplace. Copies of it stay as they are and go on paying the fee. Harmless on one that is not published. Needs the role admin.',
  })
  unpublish(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.publications.unpublish(viewer, id);
  }
}
