import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A piece of a document’s text, as a recognition run has cut it.' })
export class RecognitionChunk {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The recognition run that made it.' })
  recognitionRunId!: number;

  @Field(() => Int, { description: 'Its place in the document, from 0.' })
  index!: number;

  /** Length of the text, which lies apart: a list shows as many texts as fit. */
  bytes!: number;

  @Field(() => Int, { description: 'Tokens of the text (o200k_base), at most the run’s `chunkSize`.' })
  tokens!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'The page on which it begins, from 1 (of a spreadsheet the sheet, of a presentation the slide); null where there are no pages.',
  })
  page!: number | null;

  @Field(() => Boolean, { description: 'Whether searches find it.' })
  isEnabled!: boolean;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}
