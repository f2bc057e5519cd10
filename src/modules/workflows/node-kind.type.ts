import { Field, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A kind of node that graphs can contain.' })
export class NodeKind {
  @Field(() => String, { description: 'Name of the kind in REST, for example `HTTPNodeInput`.' })
  nodeType!: string;

  @Field(() => String, { description: 'Value of the member `type` in a graph, for example `http-node`.' })
  type!: string;

  @Field(() => String, { description: 'Display name, for example `HTTP request`.' })
  title!: string;

  @Field(() => String, { description: 'What the node does and what its content is.' })
  description!: string;

  @Field(() => String, { description: 'Group in the list of an editor, for example `flow`.' })
  category!: string;

  @Field(() => JSONValue, {
    description: 'JSON Schema (2020-12) of the member `data` of a node. Runs are validated by the same definition.',
  })
  schema!: unknown;

  @Field(() => JSONValue, { description: 'Initial `data` of a new node.' })
  defaults!: unknown;

  @Field(() => JSONValue, { description: 'The source handles of the edges of the node.' })
  outputs!: unknown;
}
