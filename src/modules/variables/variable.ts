import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { InColumn, NonColumn } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { KeywordRunEntity } from '../keywords/runs/keyword-run.entity.js';
import { Project } from '../projects/project.js';
import type { VariableName } from './variable-name.type.js';

export enum KeywordRunMode {
  ALL = 'all',
  CLUSTERS = 'clusters',
  JOINED = 'joined',
}

registerEnumType(KeywordRunMode, {
  name: 'KeywordRunMode',
  description: 'How the enabled keywords of a keyword run become the values of a variable.',
  valuesConfig: {
    ALL: { description: 'One value for each keyword.' },
    CLUSTERS: {
      description:
        'One value for each cluster: its keywords, separated by commas. Keywords without a cluster are ignored.',
    },
    JOINED: { description: 'One value with all keywords, separated by commas, at most 100,000 characters.' },
  },
});

@ObjectType({ description: 'Named values that prompts embed and loops iterate over.' })
@Entity({ tableName: 'variable' })
@Index({ properties: ['project', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
@Index({ name: 'variable_of_keyword_run', properties: ['keywordRunId'], where: 'keywordrun_id is not null' })
export class Variable {
  @Field(() => Int, { description: 'Unique id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** Foreign key. Queries of this module select it with the row. */
  projectId!: NonColumn<number>;

  @Field(() => String, { description: 'Name of the variable, unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  variableNames!: VariableName[];

  /** The greatest id that a named value of this variable ever had. */
  @Property({ type: 'integer' })
  lastNameId!: number;

  @Field(() => Boolean, {
    description: 'Whether every scenario run of the project gets a copy of the variable, even if nothing refers to it.',
  })
  @Property({ type: 'boolean' })
  isGlobal: boolean & Opt = false;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the keyword run that supplies the values; null if there is none.',
  })
  @ManyToOne({
    ...{ entity: () => KeywordRunEntity, fieldName: 'keywordrun_id', mapToPk: true, nullable: true },
    ...{ deleteRule: 'set null', foreignKeyName: 'variable_of_keyword_run' },
  })
  keywordRunId: InColumn<'keywordrun_id', number> | null = null;

  @Field(() => KeywordRunMode, { nullable: true, description: 'How keywords become values. Null means ALL.' })
  @Enum({ items: () => Object.values(KeywordRunMode), type: 'string', fieldName: 'keywordrun_mode', nullable: true })
  keywordRunMode: InColumn<'keywordrun_mode', KeywordRunMode> | null = null;

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the scenario run that this copy was made for; null for an original.',
  })
  @Property({ type: 'integer', fieldName: 'scenariorun_id', nullable: true, index: true })
  scenarioRunId: InColumn<'scenariorun_id', number> | null = null;

  /** In a copy: the id of the original, which placeholders and conditions still use. Null in an original. */
  @Property({ type: 'integer', nullable: true })
  originalId: number | null = null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'Time of the last change.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
