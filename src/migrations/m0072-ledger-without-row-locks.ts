import { Migration } from '@mikro-orm/migrations';

export class M0072LedgerWithoutRowLocks extends Migration {
  override up(): void {
    // Each inserted row locked its project and its user. Concurrent statements shared these locks, which slowed
    // down all of them. The statement that writes rows locks their run or, once per statement, their owners.
    for (const column of ['project_id', 'user_id'])
      this.addSql(`alter table billing_transaction drop constraint billing_transaction_${column}_fkey`);

    // Statement triggers execute after all cascades, which wait for the runs that are being written.
    this.addSql(`
      create function delete_ledger_of_projects() returns trigger language plpgsql as $$
      begin
        delete from billing_transaction b using deleted d where b.project_id = d.id and b.project_id is not null;
        return null;
      end $$`);
    this.addSql(`
      create trigger project_deleted after delete on project referencing old table as deleted
      for each statement execute function delete_ledger_of_projects()`);
    this.addSql(`
      create function remove_users_from_ledger() returns trigger language plpgsql as $$
      begin
        update billing_transaction b set user_id = null from deleted d where b.user_id = d.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger app_user_deleted after delete on app_user referencing old table as deleted
      for each statement execute function remove_users_from_ledger()`);
  }
}
