import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { Bus } from '../../platform/messaging/bus.js';
import type { KeywordTables } from './keyword-tables.js';
import { keywordRunTopic } from './runs/keyword-run.js';

/** Called in the transaction that changes the keywords or clusters of a run. */
export type KeywordChangeListener = (runId: number, sql: Sql) => Promise<void>;

/** Notifies listeners and subscribers of changes to the keywords of a run. */
export class KeywordChanges {
  constructor(private readonly listeners: readonly KeywordChangeListener[]) {}

  /** Locks the run. It serializes changes of its keywords, so that listeners read a consistent state. */
  async lock(sql: Sql, runId: number): Promise<void> {
    await queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword_run')
      .select('id')
      .where('id', '=', runId)
      .forNoKeyUpdate()
      .execute();
  }

  /** Calls the listeners. Call it after `lock` and the change, in the same transaction. */
  async notify(sql: Sql, runId: number): Promise<void> {
    for (const listener of this.listeners) await listener(runId, sql);
    await Bus.notify(sql, [keywordRunTopic(runId)]);
  }
}
