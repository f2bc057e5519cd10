import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../../platform/lists/page.type.js';
import { TimeFilter } from '../../../platform/lists/time-filter.input.js';
import { KeywordRun, KeywordRunStatus } from './keyword-run.js';

@InputType({ description: 'A new keyword run. Requires `topic`, `url` or both.' })
export class KeywordRunCreateInput {
  @Field(() => Int, { description: 'Id of the project that owns the run.' })
  projectId!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'The topic of the keywords, at most 500 characters. With `url`: keywords of the page that share a word with the topic come first. Default: empty.',
  })
  topic?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Address of a page to extract the keywords from, http or https, at most 2048 characters. The page is HTML, plain text or PDF, at most 10 MB. Default: empty.',
  })
  url?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a connection of the project, of a kind for HTTP. Its credentials are sent with the request for the page, only to its allowed hosts. It also completes a `url` that is a path, such as `/articles/7`. Requires `url`. Default: none.',
  })
  connectionId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of keywords: 1 means 10, 2 means 25, 3 means 50, 4 means 100. Default: 1.',
  })
  preset?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the run also groups its keywords into clusters. Default: false.',
  })
  doClusterize?: boolean | null;
}

@InputType({ description: 'Changes to a keyword run. Omitted fields stay unchanged.' })
export class KeywordRunUpdateInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Maximum number of keywords, 1-4 as for a new run. After the end of the run, surplus keywords are deleted, or further keywords that the run found are added.',
  })
  preset?: number | null;
}

@InputType({ description: 'Conditions for listing keyword runs. All given conditions must match.' })
export class KeywordRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Only runs of the project with this id.' })
  projectId?: number | null;

  @Field(() => [KeywordRunStatus], {
    nullable: true,
    description: 'Only runs with one of these statuses, at most 100. An empty list matches no run.',
  })
  statuses?: KeywordRunStatus[] | null;
}

@ObjectType({ description: 'One page of keyword runs.' })
export class KeywordRunPage extends pageOf(KeywordRun) {}
