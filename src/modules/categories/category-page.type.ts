import { ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { Category } from './category.js';

@ObjectType({ description: 'One page of categories.' })
export class CategoryPage extends pageOf(Category) {}
