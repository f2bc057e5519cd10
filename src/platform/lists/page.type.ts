import { type ClassType, Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Page } from './page.js';

/**
 * Extension of a field whose member may be a promise, although its TypeScript type is that of the value. A compiled operation awaits
 * resolvers but not plain members.
 */
export const IS_AWAITED = { isAwaited: true };

/** Creates a base class for the object type of one paginated list. `item`: the class of its items. */
export function pageOf<T extends object>(item: ClassType<T>) {
  @ObjectType({ description: 'One page of a list.' })
  abstract class PageEnvelope implements Page<T> {
    @Field(() => Int, { description: 'The requested page number, from 1.' })
    page!: number;

    @Field(() => Int, { description: 'The number of items per page, 0-100.' })
    size!: number;

    @Extensions(IS_AWAITED)
    @Field(() => Int, { description: 'The number of items in all pages.' })
    total!: number;

    @Extensions(IS_AWAITED)
    @Field(() => [item], { description: 'The items of this page. Empty past the end.' })
    items!: T[];
  }
  return PageEnvelope;
}
