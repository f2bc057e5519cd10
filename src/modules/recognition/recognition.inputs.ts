import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun, RecognitionStatus } from './recognition-run.js';

@InputType({ description: 'A new recognition run.' })
export class RecognitionRunCreateInput {
  @Field(() => Int, { description: 'Id of the project.' })
  project!: number;

  @Field(() => Int, { description: 'Id of a document of the project.' })
  document!: number;

  @Field(() => Int, { nullable: true, description: 'Maximum number of tokens per chunk, 50-8000. Default: 500.' })
  chunkSize?: number | null;
}

@InputType({ description: 'Restricts a list of recognition runs. All given conditions must match.' })
export class RecognitionRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Includes only runs of the project with this id.' })
  project?: number | null;

  @Field(() => Int, { nullable: true, description: 'Includes only runs of the document with this id.' })
  document?: number | null;

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
