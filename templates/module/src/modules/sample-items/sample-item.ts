import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { Project } from '../projects/project.js';

@ObjectType({ description: 'A sample item of a project.' })
@Entity({ tableName: 'sample_item' })
@Index({ name: 'sample_item_of_project', properties: ['project'] })
export class SampleItem {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne({ ...{ entity: () => Project, ref: true }, ...{ deleteRule: 'cascade', updateRule: 'no action' } })
  project!: Ref<Project>;

  @Field(() => String, { description: '1-255 characters.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
