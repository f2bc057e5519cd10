import { Migration } from '@mikro-orm/migrations';

export class M0039NarrowDeliveries extends Migration {
  override up(): void {
    // Written once, while each claim and attempt creates a new version of the delivery row.
    this.addSql('create table webhook_delivery_data (delivery_id uuid primary key, data json not null)');
    this.addSql('alter table webhook_delivery alter body drop not null');
    // Most deliveries have one attempt, which succeeds. Its data is in the delivery row; the log contains the failed
    // attempts.
    this.addSql(`
      alter table webhook_delivery add delivered_at timestamptz(3) null, add delivered_status int null,
        add delivered_ms int null`);
    // Free space for new versions of active rows.
    this.addSql('alter table webhook_delivery set (fillfactor = 80)');
    // Adjacent ids in the index if PostgreSQL has the function.
    this.addSql(`
      do $$ begin
        execute format('create function webhook_delivery_id() returns uuid language sql volatile parallel safe as %L',
          case when to_regprocedure('uuidv7()') is null then 'select gen_random_uuid()' else 'select uuidv7()' end);
      end $$`);
    // Deliveries are inserted in the order of time, so the pages of the table correspond to their age.
    this.addSql('drop index webhook_delivery_by_age');
    this.addSql(
      'create index webhook_delivery_by_age on webhook_delivery using brin (created_at) with (pages_per_range = 16)',
    );
    // The index of due deliveries by project contains all pending ones.
    this.addSql('drop index webhook_delivery_due');

    // Each insert locked the row of its delivery, which the same statement has just written.
    this.addSql('alter table webhook_attempt drop constraint webhook_attempt_delivery_id_fkey');
    this.addSql(`
      create function delete_parts_of_deliveries() returns trigger language plpgsql as $$
      begin
        delete from webhook_attempt a using deleted d where a.delivery_id = d.id;
        delete from webhook_delivery_data b using deleted d where b.delivery_id = d.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger webhook_delivery_deleted after delete on webhook_delivery referencing old table as deleted
      for each statement execute function delete_parts_of_deliveries()`);
  }
}
