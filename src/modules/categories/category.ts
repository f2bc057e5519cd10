import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What a scenario or a workflow is about. Administrators of the service keep the list.' })
@Entity({ tableName: 'category' })
export class Category {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'Unique, 1-100 characters.' })
  @Property({ type: 'text', unique: true })
  name!: string;
}
