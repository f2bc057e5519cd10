import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Workflow } from '../workflows/workflow.js';

const LEFT = `
  select w.id, greatest(w.free_runs_per_user - coalesce(u.counted_runs, 0), 0) as left
    from workflow w left join marketplace_use u on u.workflow_id = w.id and u.user_id = $2
   where w.id = any($1::int[])`;

@Resolver(() => Workflow)
export class FreeRunsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'Of a copy from the marketplace: runs that the caller has left free of the fee, by the author’s present terms. Null for any other workflow.',
  })
  freeRunsLeft(@Ctx() context: RequestContext, @Root() { copiedFrom }: Workflow): Promise<number | null> | null {
    if (!copiedFrom) return null;
    const loader = context.loader(
      'workflow.free-runs',
      () =>
        new DataLoader<number, number | null>(async ids => {
          const rows = await this.database.query<{ id: number; left: number }>(LEFT, [ids, context.viewer.userId]);
          const byId = new Map(rows.map(row => [row.id, row.left]));
          return ids.map(id => byId.get(id) ?? null);
        }),
    );
    return loader.load(copiedFrom.id);
  }
}
