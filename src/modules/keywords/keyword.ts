import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A search term that a keyword run found or a user added.' })
export class Keyword {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the project that owns the keyword.' })
  projectId!: number;

  @Field(() => String, { description: 'The keyword, one or more words, 1-255 characters.' })
  name!: string;

  @Field(() => Int, { nullable: true, description: 'Search volume, as entered by a user; null if unknown.' })
  volume!: number | null;

  @Field(() => String, { description: 'Address of the page that uses the keyword; empty if there is none.' })
  competitorUrl!: string;

  @Field(() => String, {
    description: 'Kind of the keyword, any text, such as `serp` or `question`; empty if not set.',
  })
  mode!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the cluster that contains the keyword; null if there is none.',
  })
  keywordClusterId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the keyword run that the keyword belongs to; null if there is none.',
  })
  keywordRunId!: number | null;

  @Field(() => Boolean, { description: 'Whether variables with the keyword run use the keyword.' })
  isEnabled!: boolean;

  @Field(() => DateTime, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date;
}

/** Selects the columns of `keyword` under the member names of `Keyword`. */
export const KEYWORD_COLUMNS = [
  'keyword.id',
  'keyword.project_id as projectId',
  'keyword.name',
  'keyword.volume',
  'keyword.competitor_url as competitorUrl',
  'keyword.mode',
  'keyword.keyword_cluster_id as keywordClusterId',
  'keyword.keywordrun_id as keywordRunId',
  'keyword.is_enabled as isEnabled',
  'keyword.created_at as createdAt',
  'keyword.updated_at as updatedAt',
] as const;
