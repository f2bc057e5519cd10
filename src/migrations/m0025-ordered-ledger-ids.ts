import { Migration } from '@mikro-orm/migrations';

export class M0025OrderedLedgerIds extends Migration {
  override up(): void {
    // New rows side by side in the index instead of each on a page of its own. PostgreSQL has the function from 18 on.
    this.addSql(`
      do $$ begin
        if to_regprocedure('uuidv7()') is not null then
          alter table billing_transaction alter id set default uuidv7();
        end if;
      end $$`);
  }
}
