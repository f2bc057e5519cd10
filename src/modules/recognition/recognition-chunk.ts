import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A part of the text of a document, created by a recognition run.' })
export class RecognitionChunk {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the recognition run.' })
  recognitionRunId!: number;

  @Field(() => Int, { description: 'Position in the document, from 0.' })
  index!: number;

  /** Size of the text in bytes. `ChunkTextResolver` leaves out texts after the size limit of a page. */
  bytes!: number;

  @Field(() => Int, {
    description: 'Number of tokens of the text (encoding o200k_base), at most `chunkSize` of the run.',
  })
  tokens!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Page on which the chunk begins, from 1: the sheet of a spreadsheet, the slide of a presentation; null for formats without pages.',
  })
  page!: number | null;

  @Field(() => Boolean, { description: 'Whether searches find the chunk.' })
  isEnabled!: boolean;

  @Field(() => DateTime, { description: 'When the chunk was created.' })
  createdAt!: Date;
}
