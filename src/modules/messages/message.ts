import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { InColumn, NonColumn } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { Project } from '../projects/project.js';
import type { StoredCondition } from '../prompts/condition.type.js';
import { Variable } from '../variables/variable.js';

export enum MessageReturnType {
  TEXT = 'text',
  VARIABLES = 'variables',
  IMAGE = 'image',
}

registerEnumType(MessageReturnType, {
  name: 'MessageReturnType',
  description: 'How a scenario run uses the response to a message.',
  valuesConfig: {
    TEXT: { description: 'The text of the response is the result.' },
    VARIABLES: {
      description:
        'The values in the response become local variables of the run. Format: a JSON object, a JSON list or lines of `name: value`.',
    },
    IMAGE: { description: 'The model generates an image, which is stored. The result is its URL.' },
  },
});

@ObjectType({ description: 'One model request of a scenario: its prompts, parameters, loop and conditions.' })
@Entity({ tableName: 'message' })
@Index({ properties: ['project', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
export class Message {
  @Field(() => Int, { description: 'Unique id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade' })
  project!: Ref<Project>;

  /** Foreign keys. Queries of this module select them with the row. */
  projectId!: NonColumn<number>;
  loopVariableId!: NonColumn<number> | null;

  @Field(() => String, { description: 'Name of the message, unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Field(() => String, {
    description:
      'Name of the model provider, of a third-party service (`http`, `graphql`, `mcp`), or `workflow`. Empty: the provider that serves `model_name`.',
  })
  @Property({ type: 'text' })
  provider: string & Opt = '';

  @Field(() => MessageReturnType, { description: 'How the response of the model is used.' })
  @Enum({ items: () => Object.values(MessageReturnType), type: 'string' })
  returnType: MessageReturnType & Opt = MessageReturnType.TEXT;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  parameters!: Record<string, unknown>;

  @Field(() => Boolean, { description: 'Whether the message is sent several times, in rounds.' })
  @Property({ type: 'boolean' })
  isLoop: boolean & Opt = false;

  @Field(() => Int, { description: 'Number of rounds of a loop without a loop variable, 1-1000.' })
  @Property({ type: 'integer' })
  loopCount: number & Opt = 1;

  @ManyToOne(() => Variable, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  loopVariable: Ref<Variable> | null = null;

  @Field(() => Boolean, { description: 'Whether the next message may start before the response to this one arrives.' })
  @Property({ type: 'boolean' })
  isAsync: boolean & Opt = false;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  conditions!: StoredCondition[];

  @Field(() => Int, {
    description: 'Position within the project, from 1. A scenario sends its messages in this order.',
  })
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
