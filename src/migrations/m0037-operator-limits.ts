import { Migration } from '@mikro-orm/migrations';

export class M0037OperatorLimits extends Migration {
  override up(): void {
    // Spending on the provider keys of the service, in total and reserved, and the operator's limit on it (null: the
    // configured default). As for budgets, the counters are on the row that is locked to decide whether an amount fits.
    for (const table of ['project', 'app_user'])
      this.addSql(`
        alter table ${table} add service_limit_usd numeric null, add service_spent_usd numeric not null default 0,
          add service_reserved_usd numeric not null default 0`);
    // The part of an entry that was paid with a provider key of the service; null: nothing.
    this.addSql('alter table billing_transaction add service_usd numeric null');
    // A reservation counts towards each limit by an amount of its own: zero where there was no limit.
    this.addSql(`
      alter table budget_reservation add user_id int null references app_user on delete cascade,
        add project_service_usd numeric not null default 0, add user_service_usd numeric not null default 0`);
    // Chat completions without a project reserve from the limit of their user only.
    this.addSql('alter table budget_reservation alter column project_id drop not null');
    this.addSql('create index budget_reservation_of_user on budget_reservation (user_id) where user_id is not null');
    // What a user has spent on keys of the service stays on the ledger when the project is deleted, and what is reserved
    // for calls of the project no longer counts.
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
