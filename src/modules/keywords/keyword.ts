import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'Words that people search for: found by a keyword run, or added by hand.' })
export class Keyword {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  @Field(() => String, { description: 'The words, 1-255 characters.' })
  name!: string;

  @Field(() => Int, { nullable: true, description: 'How often it is searched for; null when nobody has said.' })
  volume!: number | null;

  @Field(() => String, { description: 'The page of a competitor that it is from; empty when there is none.' })
  competitorUrl!: string;

  @Field(() => String, { description: 'What kind it is, such as `serp` or `question`; empty when nobody has said.' })
  mode!: string;

  @Field(() => Int, { nullable: true, description: 'The cluster that it is in; null: none.' })
  keywordClusterId!: number | null;

  @Field(() => Int, { nullable: true, description: 'The keyword run that it belongs to; null: none.' })
  keywordRunId!: number | null;

  @Field(() => Boolean, { description: 'Whether variables take it from the run.' })
  isEnabled!: boolean;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The columns of `keyword`, as the members of a Keyword. */
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
