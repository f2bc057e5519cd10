import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
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
      'Runs that failed because their workers died, and webhook deliveries that were given up, newest first. Needs the role admin in the project; without a project an administrator of the service.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { nullable: true, description: 'The project; null: all projects.' })
    projectId: number | null,
    @Arg('kind', () => DeadLetterKindName, { nullable: true, description: 'Only those of this kind.' })
    kind: DeadLetterKindName | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.letters.list(viewer, projectId ?? null, kind ?? null, page);
  }

  @Mutation(() => DeadLetterRedrive, {
    name: 'runDeadLetterRedrive',
    description:
      'Does the work of a dead letter again and removes the letter: a failed run stays as it ended, and a new one starts with the same input; a webhook delivery begins a new series of attempts. When nothing can be started the letter stays. NOT_FOUND when it is not the caller’s or was redriven before. Needs the role admin.',
  })
  redrive(
    @Ctx() { viewer }: RequestContext,
    @Arg('kind', () => DeadLetterKindName, { description: 'The kind of the letter.' }) kind: DeadLetterKindName,
    @Arg('id', () => UUID, { description: 'The letter.' }) id: string,
  ) {
    return this.letters.redrive(viewer, kind, id);
  }
}
