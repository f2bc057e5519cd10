import type { Opt, Ref } from '@mikro-orm/core';
import { Check, Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { InColumn, NonColumn } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import type { StoredCondition } from './condition.type.js';

export enum PromptRole {
  USER = 'user',
  SYSTEM = 'system',
  ASSISTANT = 'assistant',
  POSITIVE = 'positive',
  NEGATIVE = 'negative',
}

registerEnumType(PromptRole, {
  name: 'PromptRole',
  description: 'The role of a prompt in the model request.',
  valuesConfig: {
    USER: { description: 'A message of the user.' },
    SYSTEM: { description: 'A system instruction: how the model should behave.' },
    ASSISTANT: { description: 'An earlier response of the model.' },
    POSITIVE: { description: 'What a generated image should show. In other messages: a system instruction.' },
    NEGATIVE: { description: 'What a generated image should not show. In other messages: a system instruction.' },
  },
});

@ObjectType({
  description:
    'A text that messages send to a model, with placeholders for values of variables and results of messages.',
})
@Entity({ tableName: 'prompt' })
@Index({ properties: ['project', 'sortId'] })
@Index({ properties: ['owner', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
@Unique({ properties: ['owner', 'key'], where: 'scenariorun_id is null' })
@Check({ name: 'prompt_project_or_owner', expression: '(project_id is null) <> (owner_id is null)' })
export class Prompt {
  @Field(() => Int, { description: 'Unique id.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, nullable: true, deleteRule: 'cascade' })
  project: Ref<Project> | null = null;

  /** Foreign key. Queries of this module select it with the row. */
  projectId!: NonColumn<number> | null;

  /** The only user with access to a prompt without a project. Null if the prompt belongs to a project. */
  @ManyToOne(() => User, { ref: true, nullable: true, deleteRule: 'cascade' })
  owner: Ref<User> | null = null;

  @Field(() => String, { description: 'Name of the prompt, unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Field(() => PromptRole, { description: 'The role of the prompt in the model request.' })
  @Enum({ items: () => Object.values(PromptRole), type: 'string' })
  role!: PromptRole;

  @Property({ type: 'text', lazy: true })
  content!: string;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  promptConditions!: StoredCondition[];

  @Field(() => Int, {
    description: 'Position within the project, from 1. Without a project: position among the prompts of the owner.',
  })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the scenario run that this copy was made for; null for an original.',
  })
  @Property({ type: 'integer', fieldName: 'scenariorun_id', nullable: true, index: true })
  scenarioRunId: InColumn<'scenariorun_id', number> | null = null;

  /** In a copy: the id of the original. Null in an original. */
  @Property({ type: 'integer', nullable: true })
  originalId: number | null = null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'Time of the last change.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
