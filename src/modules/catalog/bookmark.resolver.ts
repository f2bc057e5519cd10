import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { findBookmarkedIds } from '../workflows/bookmarks/bookmarks.js';
import { Workflow } from '../workflows/workflow.js';

/** The bookmark of the caller on a workflow of any list. */
@Resolver(() => Workflow)
export class BookmarkResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Boolean, { description: 'Whether the caller has bookmarked the workflow.' })
  isBookmarked(@Ctx() context: RequestContext, @Root() { id }: Workflow): Promise<boolean> {
    const { userId } = context.viewer;
    const loader = context.loader(
      'bookmark',
      () =>
        new DataLoader<number, boolean>(async ids => {
          const bookmarked = await findBookmarkedIds(this.database, userId, ids);
          return ids.map(each => bookmarked.has(each));
        }),
    );
    return loader.load(id);
  }
}
