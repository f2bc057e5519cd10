import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import { anyInt, expression, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { TriggerTables } from './trigger-tables.js';
import type { TriggerFiring } from './workflow-trigger.type.js';

/** Reads the logs of triggers. The caller must have authorized the viewer. */
export class TriggerFirings {
  constructor(private readonly database: Database) {}

  /** A page of the log of a trigger, newest first. The triggers of a list share two statements. */
  ofTrigger(context: RequestContext, triggerId: number, page: PageArgs): Promise<Page<TriggerFiring>> {
    const { limit, offset } = toLimitOffset(page);
    const name = `trigger.firings ${limit} ${offset}`;
    return context
      .loader<number, Page<TriggerFiring>>(
        name,
        () =>
          new DataLoader(async ids => {
            const [items, totals] = await Promise.all([this.#items(ids, limit, offset), this.#totals(ids)]);
            return ids.map(id => ({ ...page, items: items.get(id) ?? [], total: totals.get(id) ?? 0 }));
          }),
      )
      .load(triggerId);
  }

  async #items(ids: readonly number[], limit: number, offset: number): Promise<Map<number, TriggerFiring[]>> {
    const rows = await queryBuilder<TriggerTables>(this.database)
      .selectFrom('workflow_trigger as t')
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom('trigger_firing')
            .select(['id', 'outcome', 'due_at as dueAt', 'run_id as runId', 'reason', 'created_at as createdAt'])
            .whereRef('trigger_id', '=', 't.id')
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .offset(offset)
            .as('f'),
        join => join.onTrue(),
      )
      .select(['t.id as triggerId', 'f.id', 'f.outcome', 'f.dueAt', 'f.runId', 'f.reason', 'f.createdAt'])
      .where('t.id', '=', anyInt(ids))
      .orderBy('f.createdAt', 'desc')
      .orderBy('f.id', 'desc')
      .execute();
    return Map.groupBy(rows as (TriggerFiring & { triggerId: number })[], ({ triggerId }) => triggerId);
  }

  async #totals(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await queryBuilder<TriggerTables>(this.database)
      .selectFrom('trigger_firing')
      .select([expression<number>`trigger_id`.as('triggerId'), rowCount().as('total')])
      .where('trigger_id', '=', anyInt(ids))
      .groupBy('trigger_id')
      .execute();
    return new Map(rows.map(({ triggerId, total }) => [triggerId, total]));
  }
}
