import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { Keyword } from '../keyword.js';

export enum KeywordRunStatus {
  QUEUED = 'created',
  RUNNING = 'in_progress',
  SUCCEEDED = 'finished',
  FAILED = 'error',
}

registerEnumType(KeywordRunStatus, {
  name: 'KeywordRunStatus',
  description: 'Status of a keyword run.',
  valuesConfig: {
    QUEUED: { description: 'The run waits for a worker.' },
    RUNNING: { description: 'A worker is searching for keywords.' },
    SUCCEEDED: { description: 'The run found keywords. Final.' },
    FAILED: { description: 'The run found no keywords; `error` gives the reason. Final.' },
  },
});

/** The maximum number of keywords for each preset. */
export const PRESETS: Readonly<Record<number, number>> = { 1: 10, 2: 25, 3: 50, 4: 100 };
export const MAX_PRESET = 4;
export const DEFAULT_PRESET = 1;
/** Limit for found keywords and keywords added by hand together. */
export const MAX_KEYWORDS_OF_RUN = 1000;

@ObjectType({ description: 'A group of keywords of one run that are written similarly.' })
export class KeywordCluster {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => String, {
    description:
      'Name of the cluster: its strongest keyword, that is, the one with the greatest volume or otherwise the best rank.',
  })
  name!: string;

  @Field(() => [Keyword], { description: 'The keywords of the cluster, best first, at most 1,000.' })
  keywords!: Keyword[];
}

@ObjectType({ description: 'One search for the keywords of a topic or page.' })
export class KeywordRun {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the project that owns the run.' })
  projectId!: number;

  @Field(() => String, { description: 'The topic of the keywords; empty if the run has only a `url`.' })
  topic!: string;

  @Field(() => String, {
    description: 'Address of the page that the keywords are extracted from; empty if the run has only a `topic`.',
  })
  url!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of the connection of the project whose credentials are sent with the request for the page; null if there is none. A deleted connection keeps its id here.',
  })
  connectionId!: number | null;

  @Field(() => Int, { description: 'Maximum number of keywords: 1 means 10, 2 means 25, 3 means 50, 4 means 100.' })
  preset!: number;

  @Field(() => Boolean, { description: 'Whether the run also groups its keywords into clusters.' })
  doClusterize!: boolean;

  @Field(() => KeywordRunStatus, { description: 'Status of the run.' })
  status!: KeywordRunStatus;

  @Field(() => Int, { description: 'Number of keywords of the run, including those that users added.' })
  keywordsCount!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why the run found no keywords; null if it did or has not ended.',
  })
  error!: string | null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date;

  /** Used by the field resolver `cost`. */
  costUsd!: string;
}

export function hasEnded({ status }: Pick<KeywordRun, 'status'>): boolean {
  return status === KeywordRunStatus.SUCCEEDED || status === KeywordRunStatus.FAILED;
}

/** Notification topic for changes of a run. */
export function keywordRunTopic(id: number): string {
  return `keyword-run:${id}`;
}
