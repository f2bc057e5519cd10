import { Field, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A kind of node that a graph may hold.' })
export class NodeKind {
  @Field(() => String, { description: 'The executor’s name of it, for example `HTTPNodeInput`.' })
  nodeType!: string;

  @Field(() => String, { description: 'The `type` of a node of this kind, for example `http-node`.' })
  type!: string;

  @Field(() => String, { description: 'Its name for people.' })
  title!: string;

  @Field(() => String, { description: 'What it does and what its content is.' })
  description!: string;

  @Field(() => String, { description: 'Where an editor lists it.' })
  category!: string;

  @Field(() => JSONValue, {
    description: 'JSON Schema (2020-12) of the node’s `data`; the same definition validates runs.',
  })
  schema!: unknown;

  @Field(() => JSONValue, { description: 'The `data` a new node of this kind starts with.' })
  defaults!: unknown;

  @Field(() => JSONValue, { description: 'The handles its edges may leave from.' })
  outputs!: unknown;
}
