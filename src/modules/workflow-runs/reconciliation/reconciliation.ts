import type { TransactionalSql } from '../../../platform/database/sql-pool.js';
import { CALL_CHECKS } from './call-checks.sql.js';
import { type Check, findDifferences, fixRows, MAX_DIFFERENCES, readSingleSnapshot } from './check.sql.js';
import { FIGURE_CHECKS } from './figure-checks.sql.js';
import { JOB_CHECKS } from './job-checks.sql.js';
import { LEDGER_CHECKS } from './ledger-checks.sql.js';
import { SPENDING_CHECKS } from './spending-checks.sql.js';

/** Two figures that should be equal but differ. */
export interface Difference {
  /** The differing figure, for example `total_spent_usd of project 7`. */
  subject: string;
  is: string;
  shouldBe: string;
}

const CHECKS: Check[] = [...LEDGER_CHECKS, ...FIGURE_CHECKS, ...SPENDING_CHECKS, ...CALL_CHECKS, ...JOB_CHECKS];

/** Checks that all totals equal the ledger. Each check is one statement over the whole database. */
export class Reconciliation {
  constructor(private readonly database: TransactionalSql) {}

  /** Returns all differences within one snapshot. It locks nothing, so it is safe under load. */
  async differences(): Promise<Difference[]> {
    return this.database.transaction(async sql => {
      await readSingleSnapshot(sql);
      const differences: Difference[] = [];
      for (const check of CHECKS) {
        for (const row of await findDifferences(check, sql))
          differences.push({ subject: check.subject(row.id), is: row.is, shouldBe: row.shouldBe });
      }
      return differences;
    });
  }

  /** Corrects differing totals to the values of their rows. It never changes ledger rows. */
  async fix(): Promise<void> {
    for (const check of CHECKS) {
      while ((await this.#fixSome(check)) === MAX_DIFFERENCES);
    }
  }

  async #fixSome(check: Check): Promise<number> {
    const { fix } = check;
    const ids = fix ? (await findDifferences(check, this.database)).map(row => row.id) : [];
    if (fix && ids.length > 0) await this.database.transaction(sql => fixRows(fix, ids, sql));
    return ids.length;
  }
}
