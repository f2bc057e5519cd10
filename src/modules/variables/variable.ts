import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Unstored } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { KeywordRunEntity } from '../keywords/runs/keyword-run.entity.js';
import { Project } from '../projects/project.js';
import type { VariableName } from './variable-name.type.js';

export enum KeywordrunMode {
  ALL = 'all',
  CLUSTERS = 'clusters',
  JOINED = 'joined',
}

registerEnumType(KeywordrunMode, {
  name: 'KeywordrunMode',
  description: 'How a variable takes its values from a keyword run.',
  valuesConfig: {
    ALL: { description: 'One value for each enabled keyword.' },
    CLUSTERS: { description: 'One value for each cluster.' },
    JOINED: { description: 'All keywords in one value.' },
  },
});

@ObjectType({ description: 'Named values that prompts embed and loops go through.' })
@Entity({ tableName: 'variable' })
@Index({ properties: ['project', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
@Index({ name: 'variable_of_keyword_run', properties: ['keywordrunId'], where: 'keywordrun_id is not null' })
export class Variable {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** Read along with the row. */
  projectId!: Unstored<number>;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  variableNames!: VariableName[];

  /** The greatest id that one of the values ever had. */
  @Property({ type: 'integer' })
  lastNameId!: number;

  @Field(() => Boolean, { description: 'Whether every run of the project takes the variable along.' })
  @Property({ type: 'boolean' })
  isGlobal: boolean & Opt = false;

  @Field(() => Int, { nullable: true, description: 'The keyword run that the values are taken from.' })
  @ManyToOne({
    ...{ entity: () => KeywordRunEntity, fieldName: 'keywordrun_id', mapToPk: true, nullable: true },
    ...{ deleteRule: 'set null', foreignKeyName: 'variable_of_keyword_run' },
  })
  keywordrunId: number | null = null;

  @Field(() => KeywordrunMode, { nullable: true, description: 'How values are taken from the keyword run.' })
  @Enum({ items: () => Object.values(KeywordrunMode), type: 'string', nullable: true })
  keywordrunMode: KeywordrunMode | null = null;

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, { nullable: true, description: 'The scenario run that this is a copy for.' })
  @Property({ type: 'integer', nullable: true, index: true })
  scenariorunId: number | null = null;

  /** Of a run's copy: what its scenario and its placeholders call it. */
  @Property({ type: 'integer', nullable: true })
  originalId: number | null = null;

  @Field(() => DateTime, { description: 'When the variable was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the variable was last changed.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
