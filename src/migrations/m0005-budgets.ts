import { Migration } from '@mikro-orm/migrations';

export class M0005Budgets extends Migration {
  override up(): void {
    // Both counters are in the row of total_spent_usd, so that one row lock decides whether an amount fits.
    this.addSql('alter table project add budget_usd numeric null, add reserved_usd numeric not null default 0');
    this.addSql(`
      create table budget_reservation (
        id uuid primary key,
        project_id int not null references project on delete cascade,
        holder uuid not null,
        amount_usd numeric not null,
        expires_at timestamptz(3) not null)`);
    this.addSql('create index budget_reservation_of_holder on budget_reservation (holder)');
    this.addSql('create index budget_reservation_of_project on budget_reservation (project_id)');
    this.addSql('create index budget_reservation_by_expiry on budget_reservation (expires_at)');
  }
}
