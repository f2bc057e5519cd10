import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { Keyword } from './keyword.js';

@InputType({ description: 'A new keyword.' })
export class KeywordCreateInput {
  @Field(() => String, { description: 'The words, 1-255 characters.' })
  name!: string;

  @Field(() => Int, { description: 'The project.' })
  project!: number;

  @Field(() => Int, { nullable: true, description: 'How often it is searched for, 0 or more.' })
  volume?: number | null;

  @Field(() => String, { nullable: true, description: 'The page of a competitor, at most 2048 characters.' })
  competitorUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'What kind it is, at most 50 characters.' })
  mode?: string | null;

  @Field(() => Int, { nullable: true, description: 'A cluster of one of the project’s keyword runs; null: none.' })
  keywordCluster?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'A keyword run of the project that has ended, to add it to. Default: that of the cluster, else none.',
  })
  keywordrun?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether variables take it from the run. Default: true.' })
  isEnabled?: boolean | null;
}

@InputType({ description: 'Changes to a keyword; what is left out stays.' })
export class KeywordUpdateInput {
  @Field(() => String, { nullable: true, description: 'The words, 1-255 characters.' })
  name?: string;

  @Field(() => Int, { nullable: true, description: 'How often it is searched for, 0 or more; null: unknown.' })
  volume?: number | null;

  @Field(() => String, { nullable: true, description: 'The page of a competitor, at most 2048 characters.' })
  competitorUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether variables take it from the run; null: yes.' })
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
  description: 'Orders of keywords.',
  valuesConfig: {
    CREATED_AT_DESC: { description: 'Newest first; of those found together the best first.' },
    NAME_ASC: { description: 'By name, from A.' },
    NAME_DESC: { description: 'By name, from Z.' },
    VOLUME_DESC: { description: 'Those searched for most first, those of unknown volume last.' },
  },
});

@InputType({ description: 'Which keywords to list. All that is given must hold.' })
export class KeywordFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => Int, { nullable: true, description: 'Those of this keyword run.' })
  keywordrun?: number | null;

  @Field(() => Int, { nullable: true, description: 'Those of this cluster of one of the caller’s keyword runs.' })
  keywordCluster?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Those that variables take, or those that they do not.' })
  isEnabled?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Part of the words, in any case; `%` and `_` are literal.' })
  nameContains?: string | null;
}

@ObjectType({ description: 'One page of keywords.' })
export class KeywordPage extends pageOf(Keyword) {}
