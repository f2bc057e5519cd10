import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NonColumn } from '../../platform/database/typed-queries.js';
import { Category } from './category.js';

@ObjectType({ description: 'A subdivision of one category.' })
@Entity({ tableName: 'subcategory' })
@Unique({ properties: ['category', 'name'] })
export class Subcategory {
  @Field(() => Int, { description: 'The id of the subcategory. Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Category, { ref: true, deleteRule: 'cascade' })
  category!: Ref<Category>;

  /** The column `category_id`, which queries select under this name. */
  categoryId!: NonColumn<number>;

  @Field(() => String, { description: 'The name of the subcategory, 1-100 characters. Unique within its category.' })
  @Property({ type: 'text' })
  name!: string;
}
