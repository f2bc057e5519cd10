import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, type Expression, expression, queries } from '../../../platform/database/typed-queries.js';
import type { KeywordTables } from '../keyword-tables.js';

const BATCH = 20;

/** The condition that another module uses a keyword run, which is then kept. */
export type KeywordRunUse = (sql: Sql, runId: Expression<number>) => Expression<boolean>;

/** Deletes expired keyword runs with their keywords and clusters, oldest first. Their ledger rows stay. */
export class KeywordRunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
    private readonly uses: readonly KeywordRunUse[],
  ) {}

  /** Safe to run twice, and concurrently in several processes. */
  async run(): Promise<void> {
    while ((await this.#deleteSome()) === BATCH);
  }

  #deleteSome(): Promise<number> {
    return this.database.transaction(async sql => {
      const rows = await this.#unused(sql)
        .where('r.finished_at', '<', expression<Date>`now() - make_interval(days => ${this.ttlDays})`)
        .orderBy('r.id')
        .limit(BATCH)
        .forUpdate('r')
        .skipLocked()
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      // Checked again under the lock: a transaction that starts to use a run or changes its keywords locks its row.
      await queries<KeywordTables>(sql)
        .deleteFrom('keyword_run')
        .where('id', '=', anyInt(ids))
        .where('id', 'in', this.#unused(sql).where('r.id', '=', anyInt(ids)))
        .execute();
      return ids.length;
    });
  }

  /** Ids of the runs that no module uses and whose keywords were neither added nor changed after the end. */
  #unused(sql: Sql) {
    const changed = queries<KeywordTables>(sql)
      .selectFrom('keyword as k')
      .innerJoin('keyword_run as ended', 'ended.id', 'k.keywordrun_id')
      .select('k.id')
      .whereRef('k.updated_at', '>', 'ended.finished_at');
    return queries<KeywordTables>(sql)
      .selectFrom('keyword_run as r')
      .select('r.id')
      .where(({ and, exists, not, ref }) =>
        and([
          not(exists(changed.where('k.keywordrun_id', '=', ref('r.id')))),
          ...this.uses.map(use => not(use(sql, ref('r.id')))),
        ]),
      );
  }
}
