import type { Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { type LockKey, takeTransactionLock } from '../../../platform/sql/transaction-lock.js';

interface OrderedTable {
  id: number;
  sort_id: number;
  project_id: number | null;
  owner_id: number | null;
  scenariorun_id: number | null;
  archived_at: Date | null;
}

interface OrderedRows {
  table: 'variable' | 'prompt' | 'message' | 'scenario' | 'workflow';
  /** The column that identifies the scope of an order. */
  scope: 'project_id' | 'owner_id';
  /** The column that is null for rows with a position in the order. */
  absent: 'scenariorun_id' | 'archived_at';
  /** The first key of the advisory lock. The second key is the id of the scope. */
  lock: LockKey;
}

type LocatePart = () => Promise<{ id: number; sortId: number }>;

/**
 * Maintains positions from 1 without gaps in `sort_id`. Every method locks the scope until the end of the
 * transaction, so that changes of one scope are serialized.
 */
export class Positions {
  constructor(private readonly rows: OrderedRows) {}

  /** Returns the position for a new row at the end of the order. */
  async next(sql: Sql, scopeId: number): Promise<number> {
    await this.#lock(sql, scopeId);
    const { next } = await this.#select(sql, scopeId)
      .select(({ fn }) => expression<number>`coalesce(${fn.max('sort_id')}, 0) + 1`.as('next'))
      .executeTakeFirstOrThrow();
    return next;
  }

  /** Moves a row to a position, clamped to 1…n. The rows in between shift by one. */
  async move(sql: Sql, scopeId: number, target: number, locate: LocatePart): Promise<void> {
    await this.#lock(sql, scopeId);
    const { id, sortId: from } = await locate();
    const { count } = await this.#select(sql, scopeId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const to = Math.min(Math.max(target, 1), count);
    const shift = from < to ? -1 : 1;
    await this.#update(sql, scopeId)
      .set({ sort_id: expression`case when id = ${id} then ${to}::int else sort_id + ${shift}::int end` })
      .where('sort_id', '>=', Math.min(from, to))
      .where('sort_id', '<=', Math.max(from, to))
      .execute();
  }

  /** Removes a row from the order with `removeRow`, by default by deleting it. The following rows move up by one. */
  async remove(
    sql: Sql,
    scopeId: number,
    locate: LocatePart,
    removeRow: (id: number) => Promise<unknown> = id => this.#delete(sql, id),
  ): Promise<void> {
    await this.#lock(sql, scopeId);
    const { id, sortId } = await locate();
    await removeRow(id);
    await this.#update(sql, scopeId)
      .set(({ eb }) => ({ sort_id: eb('sort_id', '-', 1) }))
      .where('sort_id', '>', sortId)
      .execute();
  }

  #select(sql: Sql, scopeId: number) {
    const { table, scope, absent } = this.rows;
    return tables(sql).selectFrom(table).where(scope, '=', scopeId).where(absent, 'is', null);
  }

  #update(sql: Sql, scopeId: number) {
    const { table, scope, absent } = this.rows;
    return tables(sql).updateTable(table).where(scope, '=', scopeId).where(absent, 'is', null);
  }

  #delete(sql: Sql, id: number) {
    return tables(sql).deleteFrom(this.rows.table).where('id', '=', id).execute();
  }

  async #lock(sql: Sql, scopeId: number): Promise<void> {
    await takeTransactionLock(sql, this.rows.lock, scopeId);
  }
}

/** The tables belong to the modules that create a `Positions`. */
function tables(sql: Sql) {
  return queryBuilder<Record<OrderedRows['table'], OrderedTable>>(sql);
}
