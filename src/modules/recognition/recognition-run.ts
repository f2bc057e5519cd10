import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

export enum RecognitionStatus {
  QUEUED = 'created',
  RUNNING = 'in_progress',
  SUCCEEDED = 'finished',
  FAILED = 'error',
}

registerEnumType(RecognitionStatus, {
  name: 'RecognitionStatus',
  description: 'State of a recognition run.',
  valuesConfig: {
    QUEUED: { description: 'Waiting for a worker.' },
    RUNNING: { description: 'The document is being read.' },
    SUCCEEDED: { description: 'All chunks are stored. Final.' },
    FAILED: { description: 'The document could not be read; `error` gives the reason. Final.' },
  },
});

@ObjectType({ description: 'Splits the text of a document into chunks that can be enabled, disabled and searched.' })
export class RecognitionRun {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  @Field(() => Int, { description: 'Id of the document.' })
  documentId!: number;

  @Field(() => RecognitionStatus, { description: 'State of the run.' })
  status!: RecognitionStatus;

  @Field(() => Int, { description: 'Maximum number of tokens per chunk, 50-8000.' })
  chunkSize!: number;

  @Field(() => Int, { description: 'Number of chunks stored so far.' })
  chunksCount!: number;

  @Field(() => Float, { description: 'Completed fraction, 0-1.' })
  progress!: number;

  @Field(() => Float, { description: 'Cost in US dollars. Always 0, because the service itself reads the document.' })
  cost!: number;

  @Field(() => String, { nullable: true, description: 'Why the document could not be read; null otherwise.' })
  error!: string | null;

  @Field(() => DateTime, { description: 'When the run was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the run last changed.' })
  updatedAt!: Date;
}

export function hasEnded({ status }: Pick<RecognitionRun, 'status'>): boolean {
  return status === RecognitionStatus.SUCCEEDED || status === RecognitionStatus.FAILED;
}

/** The notification topic of the changes of a run. */
export function recognitionTopic(id: number): string {
  return `recognition:${id}`;
}
