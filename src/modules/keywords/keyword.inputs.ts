import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { Keyword } from './keyword.js';

@InputType({ description: 'A new keyword.' })
export class KeywordCreateInput {
  @Field(() => String, { description: 'The keyword, one or more words, 1-255 characters.' })
  name!: string;

  @Field(() => Int, { description: 'Id of the project that owns the keyword.' })
  projectId!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Search volume: how often people search for the keyword, for example per month, 0 or more. Default: unknown.',
  })
  volume?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of a competitor’s page that uses the keyword, at most 2048 characters. Default: empty.',
  })
  competitorUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Kind of the keyword, any text, such as `serp` or `question`, at most 50 characters. Default: empty.',
  })
  mode?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of a cluster of a keyword run of the project. The run must have ended. Default: none.',
  })
  keywordClusterId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of the keyword run to add the keyword to. The run must belong to the project and have ended. Default: the run of `keywordClusterId`, otherwise none.',
  })
  keywordRunId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether variables with the keyword run use the keyword. Default: true.',
  })
  isEnabled?: boolean | null;
}

@InputType({ description: 'Changes to a keyword. Omitted fields stay unchanged.' })
export class KeywordUpdateInput {
  @Field(() => String, { nullable: true, description: 'The keyword, one or more words, 1-255 characters.' })
  name?: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Search volume: how often people search for the keyword, for example per month, 0 or more; null: unknown.',
  })
  volume?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of a competitor’s page that uses the keyword, at most 2048 characters. Default: empty.',
  })
  competitorUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether variables with the keyword run use the keyword; null means true.',
  })
  isEnabled?: boolean | null;
}

export enum KeywordOrder {
  CREATED_AT_DESC = 'CREATED_AT_DESC',
  NAME_ASC = 'NAME_ASC',
  NAME_DESC = 'NAME_DESC',
  VOLUME_DESC = 'VOLUME_DESC',
}
registerEnumType(KeywordOrder, {
  name: 'KeywordOrder',
  description: 'Sort order of a list of keywords.',
  valuesConfig: {
    CREATED_AT_DESC: {
      description: 'Newest first. Keywords that a run found at the same time are ordered from best to worst.',
    },
    NAME_ASC: { description: 'By name, ascending.' },
    NAME_DESC: { description: 'By name, descending.' },
    VOLUME_DESC: { description: 'By search volume, descending. Keywords with an unknown volume come last.' },
  },
});

@InputType({ description: 'Conditions for listing keywords. All given conditions must match.' })
export class KeywordFilter {
  @Field(() => Int, { nullable: true, description: 'Only keywords of the project with this id.' })
  projectId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Only keywords of the keyword run with this id.' })
  keywordRunId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Only keywords of the cluster with this id.' })
  keywordClusterId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'True: only enabled keywords. False: only disabled keywords.' })
  isEnabled?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only keywords that contain this text, ignoring case; at most 255 characters. `%` and `_` are not wildcards.',
  })
  nameContains?: string | null;
}

@ObjectType({ description: 'One page of keywords.' })
export class KeywordPage extends pageOf(Keyword) {}
