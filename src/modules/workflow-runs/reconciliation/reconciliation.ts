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
    for (const check of CHECKS) if (check.fix) await this.#fixAll(check, check.fix);
  }

  /** Corrects the rows of a check in passes, until a pass finds no further rows. */
  async #fixAll(check: Check, fix: NonNullable<Check['fix']>): Promise<void> {
    const fixedIds = new Set<string>();
    for (;;) {
      const ids = (await findDifferences(check, this.database)).map(row => row.id);
      // Rows that were not corrected are found again.
      if (ids.every(id => fixedIds.has(id))) return;
      await this.database.transaction(sql => fixRows(fix, ids, sql));
      if (ids.length < MAX_DIFFERENCES) return;
      for (const id of ids) fixedIds.add(id);
    }
  }
}
