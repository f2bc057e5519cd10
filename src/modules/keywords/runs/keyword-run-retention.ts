import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, type Expression, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { KeywordTables } from '../keyword-tables.js';

const BATCH = 20;

/** SQL condition: another module uses the keyword run, so retention must keep it. */
export type KeywordRunUseCondition = (sql: Sql, runId: Expression<number>) => Expression<boolean>;

/** Deletes expired keyword runs with their keywords and clusters, oldest first. Their ledger rows stay. */
export class KeywordRunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
    private readonly useConditions: readonly KeywordRunUseCondition[],
  ) {}

  /** Deletes all expired runs, in batches. Idempotent, and safe to run in several processes at once. */
  async run(): Promise<void> {
    while ((await this.#deleteSome()) === BATCH);
  }

  #deleteSome(): Promise<number> {
    return this.database.transaction(async sql => {
      const rows = await this.#selectUnused(sql)
        .where('r.finished_at', '<', expression<Date>`now() - make_interval(days => ${this.ttlDays})`)
        .orderBy('r.id')
        .limit(BATCH)
        .forUpdate('r')
        .skipLocked()
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      // Check again after locking: a transaction that uses the run or changes its keywords locks the same row.
      await queryBuilder<KeywordTables>(sql)
        .deleteFrom('keyword_run')
        .where('id', '=', anyInt(ids))
        .where('id', 'in', this.#selectUnused(sql).where('r.id', '=', anyInt(ids)))
        .execute();
      return ids.length;
    });
  }

  /** Selects runs that no module uses and whose keywords were neither added nor changed after the end. */
  #selectUnused(sql: Sql) {
    const editedKeywords = queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword as k')
      .innerJoin('keyword_run as ended', 'ended.id', 'k.keywordrun_id')
      .select('k.id')
      .whereRef('k.updated_at', '>', 'ended.finished_at');
    return queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword_run as r')
      .select('r.id')
      .where(({ and, exists, not, ref }) =>
        and([
          not(exists(editedKeywords.where('k.keywordrun_id', '=', ref('r.id')))),
          ...this.useConditions.map(isUsed => not(isUsed(sql, ref('r.id')))),
        ]),
      );
  }
}
