import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../../platform/lists/page.type.js';
import { TimeFilter } from '../../../platform/lists/time-filter.input.js';
import { KeywordRun, KeywordRunStatus } from './keyword-run.js';

@InputType({ description: 'A new keyword run. It needs a topic, a URL or both.' })
export class KeywordRunCreateInput {
  @Field(() => Int, { description: 'The project.' })
  project!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What the keywords are to be about, at most 500 characters. With a URL: those on it come first.',
  })
  topic?: string | null;

  @Field(() => String, { nullable: true, description: 'The page to take them from: HTML, text or PDF, at most 10 MB.' })
  url?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Most keywords: 1 is 10, 2 is 25, 3 is 50, 4 is 100. Default: 1.',
  })
  preset?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to cluster them as well. Default: false.' })
  doClusterize?: boolean | null;
}

@InputType({ description: 'Changes to a keyword run; what is left out stays.' })
export class KeywordRunUpdateInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Most keywords, 1-4 as for a new run. Of a run that has finished, those beyond it go, or more of what was found come.',
  })
  preset?: number | null;
}

@InputType({ description: 'Which keyword runs to list. All that is given must hold.' })
export class KeywordRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => [KeywordRunStatus], {
    nullable: true,
    description: 'Those with any of these, at most 100; empty: with none.',
  })
  statuses?: KeywordRunStatus[] | null;
}

@ObjectType({ description: 'One page of keyword runs.' })
export class KeywordRunPage extends pageOf(KeywordRun) {}
