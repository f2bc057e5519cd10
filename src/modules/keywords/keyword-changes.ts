import type { Sql } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import { Bus } from '../../platform/messaging/bus.js';
import type { KeywordTables } from './keyword-tables.js';
import { keywordRunTopic } from './runs/keyword-run.js';

/** Called in the transaction that changed what keywords a run has, or how they are grouped. */
export type KeywordListener = (runId: number, sql: Sql) => Promise<void>;

/** Tells whoever takes keywords from a run, and whoever watches it, that they have changed. */
export class KeywordChanges {
  constructor(private readonly listeners: readonly KeywordListener[]) {}

  /** Of two transactions that change the keywords of a run, one waits here: what is told of them is whole. */
  async lock(sql: Sql, runId: number): Promise<void> {
    await queries<KeywordTables>(sql)
      .selectFrom('keyword_run')
      .select('id')
      .where('id', '=', runId)
      .forNoKeyUpdate()
      .execute();
  }

  /** After `lock` and the change, in its transaction. */
  async tell(sql: Sql, runId: number): Promise<void> {
    for (const listener of this.listeners) await listener(runId, sql);
    await Bus.notify(sql, [keywordRunTopic(runId)]);
  }
}
