import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun, RecognitionStatus } from './recognition-run.js';

@InputType({ description: 'A new recognition run.' })
export class RecognitionRunCreateInput {
  @Field(() => Int, { description: 'The project.' })
  project!: number;

  @Field(() => Int, { description: 'A document of the project.' })
  document!: number;

  @Field(() => Int, { nullable: true, description: 'Most tokens of a chunk, 50-8000. Default 500.' })
  chunkSize?: number | null;
}

@InputType({ description: 'Which recognition runs to list. All that is given must hold.' })
export class RecognitionRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => Int, { nullable: true, description: 'Those of this document.' })
  document?: number | null;

  @Field(() => [RecognitionStatus], {
    nullable: true,
    description: 'Those with any of these, at most 100; empty: with none.',
  })
  statuses?: RecognitionStatus[] | null;
}

@ObjectType({ description: 'One page of recognition runs.' })
export class RecognitionRunPage extends pageOf(RecognitionRun) {}

@ObjectType({ description: 'One page of chunks.' })
export class RecognitionChunkPage extends pageOf(RecognitionChunk) {}
