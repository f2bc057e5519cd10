import { Migration } from '@mikro-orm/migrations';

export class M0025OrderedLedgerIds extends Migration {
  override up(): void {
    // New rows are adjacent in the index instead of on a page each. The function exists since PostgreSQL 18.
    this.addSql(`
      do $$ begin
        if to_regprocedure('uuidv7()') is not null then
          alter table billing_transaction alter id set default uuidv7();
        end if;
      end $$`);
  }
}
