import { Arg, Args, Ctx, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import {
  RecognitionChunkPage,
  RecognitionRunCreateInput,
  RecognitionRunFilter,
  RecognitionRunPage,
} from './recognition.inputs.js';
import type { RecognitionService } from './recognition.service.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun } from './recognition-run.js';

@Resolver(() => RecognitionRun)
export class RecognitionRunResolver {
  constructor(private readonly recognition: RecognitionService) {}

  @Query(() => RecognitionRunPage, {
    name: 'recognitionRuns',
    description: 'The recognition runs of the caller’s projects, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => RecognitionRunFilter, { nullable: true, description: 'Which runs.' })
    filter: RecognitionRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.recognition.list(viewer, filter, page);
  }

  @Query(() => RecognitionRun, {
    name: 'recognitionRun',
    description: 'One recognition run. NOT_FOUND when it is not the caller’s.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The run.' }) id: number) {
    return this.recognition.get(viewer, id);
  }

  @Mutation(() => RecognitionRun, {
    name: 'recognitionRunCreate',
    description: 'Has a document read and cut into chunks. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => RecognitionRunCreateInput, { description: 'The new run.' }) input: RecognitionRunCreateInput,
  ) {
    return this.recognition.create(viewer, input);
  }

  @Mutation(() => RecognitionRun, {
    name: 'recognitionRunChunksEnable',
    description: 'Enables or disables all chunks of a run that has ended. Needs the role editor.',
  })
  enableAll(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The run.' }) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether searches find them.' }) isEnabled: boolean,
  ) {
    return this.recognition.setAllEnabled(viewer, id, isEnabled);
  }

  @Mutation(() => RecognitionChunk, {
    name: 'recognitionChunkEnable',
    description: 'Enables or disables one chunk of a run that has ended. Needs the role editor.',
  })
  enable(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => Int, { description: 'The run.' }) runId: number,
    @Arg('id', () => Int, { description: 'A chunk of the run.' }) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether searches find it.' }) isEnabled: boolean,
  ) {
    return this.recognition.setEnabled(viewer, runId, id, isEnabled);
  }

  @Query(() => RecognitionChunkPage, {
    name: 'recognitionChunks',
    description: 'The chunks of a recognition run, in the order of the text.',
  })
  chunks(
    @Ctx() { viewer }: RequestContext,
    @Arg('recognitionrun', () => Int, { description: 'The run.' }) recognitionrun: number,
    @Arg('isEnabled', () => Boolean, {
      nullable: true,
      description: 'Those that searches find, or those that they do not. Default: all.',
    })
    isEnabled: boolean | null | undefined,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.recognition.chunks(viewer, recognitionrun, isEnabled ?? null, page);
  }

  @Query(() => RecognitionChunk, {
    name: 'recognitionChunk',
    description: 'One chunk. NOT_FOUND when it is not the caller’s.',
  })
  chunk(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The chunk.' }) id: number) {
    return this.recognition.chunk(viewer, id);
  }

  @Subscription(() => RecognitionRun, {
    name: 'recognitionRunChanged',
    description:
      'A recognition run, live, whichever process reads the document: first as it is, then whenever it has changed. Completes when it has ended. NOT_FOUND when it is not the caller’s.',
    topics: 'recognitionRunChanged',
    topicId: ({ args, context }) => ({ args, context }),
  })
  changed(@Root() run: RecognitionRun, @Arg('id', () => Int, { description: 'The run.' }) _id: number): RecognitionRun {
    return run;
  }
}
