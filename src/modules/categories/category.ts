import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A topic of scenarios and workflows. Administrators of the service maintain the list.' })
@Entity({ tableName: 'category' })
export class Category {
  @Field(() => Int, { description: 'The id of the category. Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The name of the category, 1-100 characters. Unique.' })
  @Property({ type: 'text', unique: true })
  name!: string;
}
