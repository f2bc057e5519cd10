import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { UUID } from '../../platform/json/scalars.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { DeadLetterService } from './dead-letter.service.js';
import { DeadLetter, DeadLetterKindName, DeadLetterPage, DeadLetterRedrive } from './dead-letter.type.js';

@Resolver(() => DeadLetter)
export class DeadLetterResolver {
  constructor(private readonly letters: DeadLetterService) {}

  @Query(() => DeadLetterPage, {
    name: 'runsDeadLettered',
    description:
      'The dead letters: runs that failed because their workers crashed, and webhook deliveries that failed permanently, newest first. Requires the role admin in the project, or an administrator of the service without `projectId`.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'The id of a project. Default: all projects.' })
    projectId: number | null,
    @Arg('kind', () => DeadLetterKindName, {
      nullable: true,
      description: 'Lists only dead letters of this kind. Default: all kinds.',
    })
    kind: DeadLetterKindName | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.letters.list(viewer, projectId ?? null, kind ?? null, page);
  }

  @PayloadMutation({
    returns: { deadLetterRedrive: () => DeadLetterRedrive },
    name: 'runDeadLetterRedrive',
    description:
      'Repeats the work of a dead letter and deletes the letter. A failed run remains as it is, and a new run starts with the same input. A webhook delivery starts a new series of attempts. If the work cannot be started, the letter remains. NOT_FOUND when the caller is not a member of the project or the letter was already redriven. Requires the role admin.',
  })
  redrive(
    @Ctx() { viewer }: RequestContext,
    @Arg('kind', () => DeadLetterKindName, { description: 'The kind of the dead letter.' }) kind: DeadLetterKindName,
    @Arg('id', () => UUID, { description: 'The id of the dead letter.' }) id: string,
  ) {
    return this.letters.redrive(viewer, kind, id);
  }
}
