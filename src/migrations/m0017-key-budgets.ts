import { Migration } from '@mikro-orm/migrations';

export class M0017KeyBudgets extends Migration {
  override up(): void {
    // As in `project`, both counters are in the row whose lock decides whether an amount fits.
    this.addSql('alter table api_key add budget_usd numeric null, add reserved_usd numeric not null default 0');
    this.addSql(`
      create table key_budget_reservation (
        id uuid primary key,
        api_key_id int not null references api_key on delete cascade,
        amount_usd numeric not null,
        expires_at timestamptz(3) not null)`);
    this.addSql('create index key_budget_reservation_of_key on key_budget_reservation (api_key_id)');
    this.addSql('create index key_budget_reservation_by_expiry on key_budget_reservation (expires_at)');
    // Charges of a key stay in the ledger when their project is deleted, so that its limit cannot be evaded.
    this.addSql(`
      create function project_leaves_key_ledger() returns trigger language plpgsql as $$
      begin
        update billing_transaction set project_id = null where project_id = old.id and api_key_id is not null;
        return old;
      end $$`);
    this.addSql(`
      create trigger project_leaves_key_ledger before delete on project for each row
      execute function project_leaves_key_ledger()`);
  }
}
