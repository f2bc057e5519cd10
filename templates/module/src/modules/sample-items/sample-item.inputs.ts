import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { SampleItem } from './sample-item.js';

@InputType({ description: 'A new sample item.' })
export class SampleItemCreateInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: '1-255 characters.' })
  name!: string;
}

@ObjectType({ description: 'One page of sample items.' })
export class SampleItemPage extends pageOf(SampleItem) {}
