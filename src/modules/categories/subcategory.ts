import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NotStored } from '../../platform/database/typed-queries.js';
import { Category } from './category.js';

@ObjectType({ description: 'A finer part of one category.' })
@Entity({ tableName: 'subcategory' })
@Unique({ properties: ['category', 'name'] })
export class Subcategory {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Category, { ref: true, deleteRule: 'cascade' })
  category!: Ref<Category>;

  /** Read along with the row. */
  categoryId!: NotStored<number>;

  @Field(() => String, { description: 'Unique within its category, 1-100 characters.' })
  @Property({ type: 'text' })
  name!: string;
}
