import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

export enum RecognitionStatus {
  CREATED = 'created',
  IN_PROGRESS = 'in_progress',
  FINISHED = 'finished',
  ERROR = 'error',
}

registerEnumType(RecognitionStatus, {
  name: 'RecognitionStatus',
  description: 'Where a recognition run stands.',
  valuesConfig: {
    CREATED: { description: 'It waits for a worker.' },
    IN_PROGRESS: { description: 'The document is being read.' },
    FINISHED: { description: 'Its chunks are there. Final.' },
    ERROR: { description: 'The document could not be read; `error` says why. Final.' },
  },
});

@ObjectType({ description: 'One reading of a document, cut into chunks that can be enabled, disabled and searched.' })
export class RecognitionRun {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  @Field(() => Int, { description: 'The document that is read.' })
  documentId!: number;

  @Field(() => RecognitionStatus, { description: 'Where it stands.' })
  status!: RecognitionStatus;

  @Field(() => Int, { description: 'Most tokens of a chunk, 50-8000.' })
  chunkSize!: number;

  @Field(() => Int, { description: 'Chunks it has made.' })
  chunksCount!: number;

  @Field(() => Float, { description: 'The part that is done, 0-1.' })
  progress!: number;

  @Field(() => Float, { description: 'What it cost, in US dollars. Reading is done by the service itself: 0.' })
  cost!: number;

  @Field(() => String, { nullable: true, description: 'Why the document could not be read; null otherwise.' })
  error!: string | null;

  @Field(() => DateTime, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;
}

export function hasEnded({ status }: Pick<RecognitionRun, 'status'>): boolean {
  return status === RecognitionStatus.FINISHED || status === RecognitionStatus.ERROR;
}

/** The topic on which a run's changes are told of. */
export function recognitionTopic(id: number): string {
  return `recognition:${id}`;
}
