import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { anyInt, queries } from '../../platform/database/typed-queries.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Workflow } from '../workflows/workflow.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';

/** The bookmark of the caller on a workflow of any list. */
@Resolver(() => Workflow)
export class BookmarkResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Boolean, { description: 'Whether the caller has bookmarked the workflow.' })
  isBookmarked(@Ctx() context: RequestContext, @Root() { id }: Workflow): Promise<boolean> {
    return context
      .loader('bookmark', () => new DataLoader<number, boolean>(ids => this.#areBookmarked(context.viewer.userId, ids)))
      .load(id);
  }

  async #areBookmarked(userId: number, ids: readonly number[]): Promise<boolean[]> {
    const rows = await queries<WorkflowTables>(this.database)
      .selectFrom('workflow_bookmark')
      .select('workflow_id as id')
      .where('user_id', '=', userId)
      .where('workflow_id', '=', anyInt(ids))
      .execute();
    const bookmarked = new Set(rows.map(({ id }) => id));
    return ids.map(id => bookmarked.has(id));
  }
}
