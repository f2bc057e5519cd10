import { Arg, Args, Ctx, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { streamRequest } from '../../platform/graphql/stream-request.js';
import { ConnectionArguments } from '../../platform/lists/connection.args.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import {
  RecognitionChunkConnection,
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
    description: 'Lists the recognition runs of the caller’s projects, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => RecognitionRunFilter, { nullable: true, description: 'Default: all runs.' })
    filter: RecognitionRunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.recognition.list(viewer, filter, page);
  }

  @Query(() => RecognitionRun, {
    name: 'recognitionRun',
    description: 'Returns one recognition run. NOT_FOUND when the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the run.' }) id: number) {
    return this.recognition.get(viewer, id);
  }

  @PayloadMutation({
    returns: { recognitionRun: () => RecognitionRun },
    name: 'recognitionRunCreate',
    description: 'Starts a run that splits the text of a document into chunks. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => RecognitionRunCreateInput, { description: 'The new run.' }) input: RecognitionRunCreateInput,
  ) {
    return this.recognition.create(viewer, input);
  }

  @PayloadMutation({
    returns: { recognitionRun: () => RecognitionRun },
    name: 'recognitionRunChunksEnable',
    description:
      'Enables or disables all chunks of a run. CONFLICT while the run is in progress. Requires the role editor.',
  })
  enableAll(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the run.' }) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether searches find the chunks.' }) isEnabled: boolean,
  ) {
    return this.recognition.setAllEnabled(viewer, id, isEnabled);
  }

  @PayloadMutation({
    returns: { recognitionChunk: () => RecognitionChunk },
    name: 'recognitionChunkEnable',
    description:
      'Enables or disables one chunk of a run. CONFLICT while the run is in progress. Requires the role editor.',
  })
  enable(
    @Ctx() { viewer }: RequestContext,
    @Arg('recognitionRunId', () => Int, { description: 'Id of the run.' }) runId: number,
    @Arg('id', () => Int, { description: 'Id of a chunk of the run.' }) id: number,
    @Arg('isEnabled', () => Boolean, { description: 'Whether searches find the chunk.' }) isEnabled: boolean,
  ) {
    return this.recognition.setEnabled(viewer, runId, id, isEnabled);
  }

  @Query(() => RecognitionChunkPage, {
    name: 'recognitionChunks',
    description: 'Lists the chunks of a recognition run, in the order of the text.',
  })
  chunks(
    @Ctx() { viewer }: RequestContext,
    @Arg('recognitionRunId', () => Int, { description: 'Id of the run.' }) recognitionRunId: number,
    @Arg('isEnabled', () => Boolean, {
      nullable: true,
      description: 'Includes only enabled chunks (true) or disabled chunks (false). Default: all chunks.',
    })
    isEnabled: boolean | null | undefined,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.recognition.chunks(viewer, recognitionRunId, isEnabled ?? null, page);
  }

  @Query(() => RecognitionChunkConnection, {
    name: 'recognitionChunksConnection',
    description: 'The chunks of `recognitionChunks`, selected by cursors instead of pages.',
  })
  chunkConnection(
    @Ctx() { viewer }: RequestContext,
    @Arg('recognitionRunId', () => Int, { description: 'Id of the run.' }) recognitionRunId: number,
    @Arg('isEnabled', () => Boolean, {
      nullable: true,
      description: 'Includes only enabled chunks (true) or disabled chunks (false). Default: all chunks.',
    })
    isEnabled: boolean | null | undefined,
    @Args(() => ConnectionArguments) args: ConnectionArguments,
  ) {
    return this.recognition.chunkConnection(viewer, recognitionRunId, isEnabled ?? null, args);
  }

  @Query(() => RecognitionChunk, {
    name: 'recognitionChunk',
    description: 'Returns one chunk. NOT_FOUND when the caller cannot access it.',
  })
  chunk(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the chunk.' }) id: number) {
    return this.recognition.chunk(viewer, id);
  }

  @Subscription(() => RecognitionRun, {
    name: 'recognitionRunChanged',
    description:
      'Sends the current state of a recognition run, then its state after each change. Completes when the run has ended. NOT_FOUND when the caller cannot access it.',
    topics: 'recognitionRunChanged',
    topicId: streamRequest,
  })
  changed(
    @Root() run: RecognitionRun,
    @Arg('id', () => Int, { description: 'Id of the run.' }) _id: number,
  ): RecognitionRun {
    return run;
  }
}
