import type { Database } from '../../../platform/database/database.js';

const BATCH = 20;

/** What keeps a run: a variable that takes its values from it, and keywords that somebody added or changed. */
const IN_USE = `
  exists (select from variable v where v.keywordrun_id = r.id)
  or exists (select from keyword k where k.keywordrun_id = r.id and k.updated_at > r.finished_at)`;

const LOCK = `
  select r.id from keyword_run r
   where r.finished_at < now() - make_interval(days => $1) and not (${IN_USE})
   order by r.id limit ${BATCH} for update of r skip locked`;

/** A second look, under the lock: whoever takes from a run or changes its keywords locks its row. */
const DELETE = `delete from keyword_run r where r.id = any($1::int[]) and not (${IN_USE})`;

/** Deletes expired keyword runs with their keywords and clusters, oldest first. Their ledger rows stay. */
export class KeywordRunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    while ((await this.#deleteSome()) === BATCH);
  }

  #deleteSome(): Promise<number> {
    return this.database.transaction(async sql => {
      const ids = (await sql.query<{ id: number }>(LOCK, [this.ttlDays])).map(({ id }) => id);
      if (ids.length > 0) await sql.query(DELETE, [ids]);
      return ids.length;
    });
  }
}
