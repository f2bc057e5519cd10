import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Unstored } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { Project } from '../projects/project.js';
import type { Condition } from '../prompts/condition.type.js';
import { Variable } from '../variables/variable.js';

export enum MessageReturnType {
  TEXT = 'text',
  VARIABLES = 'variables',
  IMAGE = 'image',
}

registerEnumType(MessageReturnType, {
  name: 'MessageReturnType',
  description: 'What becomes of a message’s answer.',
  valuesConfig: {
    TEXT: { description: 'The answer is the result.' },
    VARIABLES: { description: 'The answer becomes local variables of the run.' },
    IMAGE: { description: 'An image is made and stored; the result is its URL.' },
  },
});

@ObjectType({ description: 'One request of a scenario to a model: its prompts and how they are sent.' })
@Entity({ tableName: 'message' })
@Index({ properties: ['project', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
export class Message {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** The ids of what it refers to are read along with the row. */
  projectId!: Unstored<number>;
  loopVariableId!: Unstored<number> | null;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Field(() => String, { description: 'Name of a model provider; empty: chosen by the name of the model.' })
  @Property({ type: 'text' })
  provider: string & Opt = '';

  @Field(() => MessageReturnType, { description: 'What becomes of the answer.' })
  @Enum({ items: () => Object.values(MessageReturnType), type: 'string' })
  returnType: MessageReturnType & Opt = MessageReturnType.TEXT;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  parameters!: Record<string, unknown>;

  @Field(() => Boolean, { description: 'Whether the message is sent again and again.' })
  @Property({ type: 'boolean' })
  isLoop: boolean & Opt = false;

  @Field(() => Int, { description: 'How often a loop sends it, 1-1000, unless it goes through a variable.' })
  @Property({ type: 'integer' })
  loopCount: number & Opt = 1;

  @ManyToOne(() => Variable, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  loopVariable: Ref<Variable> | null = null;

  @Field(() => Boolean, { description: 'Whether the next message starts before this one is answered.' })
  @Property({ type: 'boolean' })
  isAsync: boolean & Opt = false;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  conditions!: Condition[];

  @Field(() => Int, { description: 'Position within the project, from 1: messages of a scenario run in this order.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, { nullable: true, description: 'The scenario run that this is a copy for.' })
  @Property({ type: 'integer', nullable: true, index: true })
  scenariorunId: number | null = null;

  /** Of a run's copy: what its scenario and its placeholders call it. */
  @Property({ type: 'integer', nullable: true })
  originalId: number | null = null;

  @Field(() => DateTime, { description: 'When the message was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the message was last changed.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
