import { type ClassType, Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Connection, Edge } from './connection.js';
import { IS_AWAITED } from './page.type.js';

@ObjectType({ description: 'Position of a part of a list.' })
export class PageInfo {
  @Field(() => Boolean, {
    description: 'Whether items follow this part. With `last`: whether `before` was given.',
  })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description: 'Whether items precede this part. With `first`: whether `after` was given.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item. Null for an empty part.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item. Null for an empty part.' })
  endCursor!: string | null;
}

/** Creates the edge of `Item`: a base class for the object type of one list. */
export function edgeOf<T extends object>(item: ClassType<T>) {
  @ObjectType({ description: 'An item of a list with its cursor.' })
  abstract class EdgeEnvelope implements Edge<T> {
    @Field(() => String, {
      description:
        'Position of the item in its list, for `after` and `before`. Opaque, and valid after the item is deleted.',
    })
    cursor!: string;

    @Field(() => item, { description: 'The item.' })
    node!: T;
  }
  return EdgeEnvelope;
}

/** Creates the connection of `Item`: a base class for the object type of one list. */
export function connectionOf<T extends object>(item: ClassType<T>, edge: ClassType<Edge<T>>) {
  @ObjectType({ description: 'A part of a list, selected by cursors.' })
  abstract class ConnectionEnvelope implements Connection<T> {
    @Field(() => [edge], { description: 'The items of this part with their cursors. At most 100.' })
    edges!: Edge<T>[];

    @Field(() => [item], { description: 'The items of this part without cursors. At most 100.' })
    nodes!: T[];

    @Field(() => PageInfo, { description: 'Position of this part in the list.' })
    pageInfo!: PageInfo;

    @Extensions(IS_AWAITED)
    @Field(() => Int, {
      description:
        'Number of items in the whole list. Counted only if selected. From 10,000 items, up to 10 seconds old.',
    })
    readonly totalCount!: Promise<number>;
  }
  return ConnectionEnvelope;
}
