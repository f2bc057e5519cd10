import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { Keyword } from '../keyword.js';

export enum KeywordRunStatus {
  CREATED = 'created',
  IN_PROGRESS = 'in_progress',
  FINISHED = 'finished',
  ERROR = 'error',
}

registerEnumType(KeywordRunStatus, {
  name: 'KeywordRunStatus',
  description: 'Where a keyword run stands.',
  valuesConfig: {
    CREATED: { description: 'It waits for a worker.' },
    IN_PROGRESS: { description: 'Keywords are being looked for.' },
    FINISHED: { description: 'Its keywords are there. Final.' },
    ERROR: { description: 'None were found; `error` says why. Final.' },
  },
});

/** How many keywords each preset stands for. */
export const PRESETS: Readonly<Record<number, number>> = { 1: 10, 2: 25, 3: 50, 4: 100 };
export const MAX_PRESET = 4;
export const DEFAULT_PRESET = 1;
/** Those it found and those that were added by hand. */
export const MAX_KEYWORDS_OF_RUN = 1000;

@ObjectType({ description: 'Keywords of a run that speak of the same thing.' })
export class KeywordCluster {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => String, { description: 'The name of its strongest keyword.' })
  name!: string;

  @Field(() => [Keyword], { description: 'Its keywords, the best first; at most 1,000.' })
  keywords!: Keyword[];
}

@ObjectType({ description: 'One search for the keywords of a topic or of a page.' })
export class KeywordRun {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  @Field(() => String, { description: 'What the keywords are to be about; empty where `url` alone was given.' })
  topic!: string;

  @Field(() => String, { description: 'The page they are taken from; empty where `topic` alone was given.' })
  url!: string;

  @Field(() => Int, { description: 'Most keywords: 1 is 10, 2 is 25, 3 is 50, 4 is 100.' })
  preset!: number;

  @Field(() => Boolean, { description: 'Whether they are clustered as soon as they are found.' })
  doClusterize!: boolean;

  @Field(() => KeywordRunStatus, { description: 'Where it stands.' })
  status!: KeywordRunStatus;

  @Field(() => Int, { description: 'Keywords it has, those added by hand included.' })
  keywordsCount!: number;

  @Field(() => String, { nullable: true, description: 'Why no keywords were found; null otherwise.' })
  error!: string | null;

  @Field(() => DateTime, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;

  /** Read by the field resolver `cost`. */
  costUsd!: string;
}

export function hasEnded({ status }: Pick<KeywordRun, 'status'>): boolean {
  return status === KeywordRunStatus.FINISHED || status === KeywordRunStatus.ERROR;
}

/** The topic on which a run's changes are told of. */
export function keywordRunTopic(id: number): string {
  return `keyword-run:${id}`;
}
