import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { connectionOf, edgeOf } from '../../platform/lists/connection.type.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun, RecognitionStatus } from './recognition-run.js';

@InputType({ description: 'A new recognition run.' })
export class RecognitionRunCreateInput {
  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  @Field(() => Int, { description: 'Id of a document of the project.' })
  documentId!: number;

  @Field(() => Int, { nullable: true, description: 'Maximum number of tokens per chunk, 50-8000. Default: 500.' })
  chunkSize?: number | null;
}

@InputType({ description: 'Restricts a list of recognition runs. All given conditions must match.' })
export class RecognitionRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Includes only runs of the project with this id.' })
  projectId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Includes only runs of the document with this id.' })
  documentId?: number | null;

  @Field(() => [RecognitionStatus], {
    nullable: true,
    description: 'Includes only runs in one of these states, at most 100 values. An empty list matches no run.',
  })
  statuses?: RecognitionStatus[] | null;
}

@ObjectType({ description: 'One page of recognition runs.' })
export class RecognitionRunPage extends pageOf(RecognitionRun) {}

@ObjectType({ description: 'One page of chunks.' })
export class RecognitionChunkPage extends pageOf(RecognitionChunk) {}

@ObjectType({ description: 'A chunk with its cursor.' })
export class RecognitionChunkEdge extends edgeOf(RecognitionChunk) {}

@ObjectType({ description: 'Some chunks of a recognition run, selected by cursors.' })
export class RecognitionChunkConnection extends connectionOf(RecognitionChunk, RecognitionChunkEdge) {}
