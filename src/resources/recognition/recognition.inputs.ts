import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../base/page.type.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun } from './recognition-run.js';

@InputType({ description: 'A new recognition run.' })
export class RecognitionRunCreateInput {
  @Field(() => Int, { description: 'The project.' })
  project!: number;

  @Field(() => Int, { description: 'A document of the project.' })
  document!: number;

  @Field(() => Int, { nullable: true, description: 'Most tokens of a chunk, 50-8000. Default 500.' })
  chunkSize?: number | null;
}

@InputType({ description: 'Which recognition runs to list.' })
export class RecognitionRunFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => Int, { nullable: true, description: 'Those of this document.' })
  document?: number | null;
}

@ObjectType({ description: 'One page of recognition runs.' })
export class RecognitionRunPage extends pageOf(RecognitionRun) {}

@ObjectType({ description: 'One page of chunks.' })
export class RecognitionChunkPage extends pageOf(RecognitionChunk) {}
