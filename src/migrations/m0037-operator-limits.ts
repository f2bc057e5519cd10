import { Migration } from '@mikro-orm/migrations';

export class M0037OperatorLimits extends Migration {
  override up(): void {
    // Total and reserved spending on service-owned provider keys, and the operator's limit (null: the configured
    // default). As for budgets, the counters are in the row whose lock decides whether an amount fits.
    for (const table of ['project', 'app_user'])
      this.addSql(`
        alter table ${table} add service_limit_usd numeric null, add service_spent_usd numeric not null default 0,
          add service_reserved_usd numeric not null default 0`);
    // The part of a ledger entry that used a service-owned provider key; null: none.
    this.addSql('alter table billing_transaction add service_usd numeric null');
    // A reservation counts towards each limit by a separate amount; zero if there was no limit.
    this.addSql(`
      alter table budget_reservation add user_id int null references app_user on delete cascade,
        add project_service_usd numeric not null default 0, add user_service_usd numeric not null default 0`);
    // Chat completions without a project use only the limit of their user.
    this.addSql('alter table budget_reservation alter column project_id drop not null');
    this.addSql('create index budget_reservation_of_user on budget_reservation (user_id) where user_id is not null');
    // Charges of a user on service-owned keys stay in the ledger when the project is deleted. Reservations of the
    // project no longer count.
    this.addSql(`
      create function project_leaves_service_spending() returns trigger language plpgsql as $$
      begin
        update billing_transaction set project_id = null where project_id = old.id and service_usd > 0;
        with gone as (delete from budget_reservation where project_id = old.id returning user_id, user_service_usd),
        sums as (select user_id, sum(user_service_usd) as amount from gone where user_service_usd > 0 group by user_id),
        locked as (select id from app_user where id in (select user_id from sums) order by id for no key update)
        update app_user u set service_reserved_usd = u.service_reserved_usd - s.amount
          from locked join sums s on s.user_id = locked.id where u.id = locked.id;
        return old;
      end $$`);
    this.addSql(`
      create trigger project_leaves_service_spending before delete on project for each row
      execute function project_leaves_service_spending()`);
  }
}
