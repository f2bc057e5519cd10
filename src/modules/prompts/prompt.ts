import type { Opt, Ref } from '@mikro-orm/core';
import { Check, Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Unstored } from '../../platform/database/typed-queries.js';
import { DateTime } from '../../platform/json/scalars.js';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import type { Condition } from './condition.type.js';

export enum PromptRole {
  USER = 'user',
  SYSTEM = 'system',
  ASSISTANT = 'assistant',
  POSITIVE = 'positive',
  NEGATIVE = 'negative',
}

registerEnumType(PromptRole, {
  name: 'PromptRole',
  description: 'Who speaks a prompt.',
  valuesConfig: {
    USER: { description: 'The user.' },
    SYSTEM: { description: 'The system: how the model is to behave.' },
    ASSISTANT: { description: 'The model.' },
    POSITIVE: { description: 'What an image is to show; in other messages system text.' },
    NEGATIVE: { description: 'What an image is not to show; in other messages system text.' },
  },
});

@ObjectType({ description: 'A text that messages send to a model, with placeholders for variables and results.' })
@Entity({ tableName: 'prompt' })
@Index({ properties: ['project', 'sortId'] })
@Index({ properties: ['owner', 'sortId'] })
@Unique({ properties: ['project', 'key'], where: 'scenariorun_id is null' })
@Unique({ properties: ['owner', 'key'], where: 'scenariorun_id is null' })
@Check({ name: 'prompt_project_or_owner', expression: '(project_id is null) <> (owner_id is null)' })
export class Prompt {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, nullable: true, deleteRule: 'cascade' })
  project: Ref<Project> | null = null;

  /** Read along with the row. */
  projectId!: Unstored<number> | null;

  /** Whose prompt it is alone, where it belongs to no project. */
  @ManyToOne(() => User, { ref: true, nullable: true, deleteRule: 'cascade' })
  owner: Ref<User> | null = null;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  @Property({ type: 'text' })
  key!: string;

  @Field(() => PromptRole, { description: 'Who speaks it.' })
  @Enum({ items: () => Object.values(PromptRole), type: 'string' })
  role!: PromptRole;

  @Property({ type: 'text', lazy: true })
  content!: string;

  @Property({ type: 'json', columnType: 'json', lazy: true })
  promptConditions!: Condition[];

  @Field(() => Int, { description: 'Position within the project, from 1.' })
  @Property({ type: 'integer' })
  sortId!: number;

  @Field(() => Int, { nullable: true, description: 'The scenario run that this is a copy for.' })
  @Property({ type: 'integer', nullable: true, index: true })
  scenariorunId: number | null = null;

  /** Of a run's copy: what its scenario and its placeholders call it. */
  @Property({ type: 'integer', nullable: true })
  originalId: number | null = null;

  @Field(() => DateTime, { description: 'When the prompt was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { description: 'When the prompt was last changed.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  updatedAt: Date & Opt = new Date();
}
