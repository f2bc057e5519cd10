import type { Sql } from '../../../platform/database/database.js';
import { holdLock, type LockKey } from '../../../platform/sql/transaction-lock.js';

interface OrderedRows {
  table: string;
  /** The column whose value the rows of one order share. */
  scope: string;
  /** SQL condition of the rows that have a place in the order. */
  counted: string;
  /** First key of the advisory lock; the second is the scope's id. */
  lock: LockKey;
}

type Locate = () => Promise<{ id: number; sortId: number }>;

/**
 * Positions from 1 without gaps, kept in `sort_id`. Those of one scope are changed by one transaction at a time; every
 * method takes the lock and holds it until the transaction ends.
 */
export class Positions {
  constructor(private readonly rows: OrderedRows) {}

  /** The position of a row that is about to be added, behind all others. */
  async next(sql: Sql, scopeId: number): Promise<number> {
    await this.#lock(sql, scopeId);
    const { table, scope, counted } = this.rows;
    const [row] = await sql.query<{ next: number }>(
      `select coalesce(max(sort_id), 0) + 1 as next from ${table} where ${scope} = $1 and ${counted}`,
      [scopeId],
    );
    return row!.next;
  }

  /** Moves the located row to a position clamped to 1…n; the ones between shift by one. */
  async move(sql: Sql, scopeId: number, target: number, locate: Locate): Promise<void> {
    await this.#lock(sql, scopeId);
    const { table, scope, counted } = this.rows;
    const { id, sortId: from } = await locate();
    const [row] = await sql.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${scope} = $1 and ${counted}`,
      [scopeId],
    );
    const to = Math.min(Math.max(target, 1), row!.count);
    await sql.query(
      `update ${table} set sort_id = case when id = $2 then $4::int when sort_id > $3 then sort_id - 1 else sort_id + 1 end
        where ${scope} = $1 and ${counted} and sort_id between least($3::int, $4::int) and greatest($3::int, $4::int)`,
      [scopeId, id, from, to],
    );
  }

  /** Deletes the located row, or takes it out of the order by `statement`; the positions behind it close up. */
  async remove(sql: Sql, scopeId: number, locate: Locate, statement?: string): Promise<void> {
    await this.#lock(sql, scopeId);
    const { table, scope, counted } = this.rows;
    const { id, sortId } = await locate();
    await sql.query(statement ?? `delete from ${table} where id = $1`, [id]);
    await sql.query(`update ${table} set sort_id = sort_id - 1 where ${scope} = $1 and sort_id > $2 and ${counted}`, [
      scopeId,
      sortId,
    ]);
  }

  async #lock(sql: Sql, scopeId: number): Promise<void> {
    await holdLock(sql, this.rows.lock, scopeId);
  }
}
