import { Migration } from '@mikro-orm/migrations';

export class M0009Webhooks extends Migration {
  override up(): void {
    // One secret is current. The previous one also signs until it expires.
    this.addSql(`
      create table webhook_secret (
        id uuid primary key,
        project_id int not null references project on delete cascade,
        sealed text not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) null)`);
    this.addSql('create unique index webhook_secret_current on webhook_secret (project_id) where expires_at is null');
    this.addSql('create index webhook_secret_of_project on webhook_secret (project_id, expires_at)');

    // Pending deliveries are attempted at next_at. `attempts` counts all started attempts and is the fencing token of
    // the current one, which lasts at most until taken_until. `failures` counts failures of the current series.
    this.addSql(`
      create table webhook_delivery (
        id uuid primary key,
        project_id int not null references project on delete cascade,
        url text not null,
        is_to_project boolean not null,
        is_asked_for boolean not null default false,
        type text not null,
        body json not null,
        state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
        attempts int not null default 0,
        failures int not null default 0,
        next_at timestamptz(3) null default now(),
        taken_until timestamptz(3) null,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3) null,
        check ((state = 'pending') = (next_at is not null)))`);
    this.addSql(
      `create index webhook_delivery_due_of_project on webhook_delivery (project_id, next_at) where state = 'pending'`,
    );
    this.addSql(`create index webhook_delivery_due on webhook_delivery (next_at) where state = 'pending'`);
    this.addSql('create index webhook_delivery_of_project on webhook_delivery (project_id, created_at desc, id desc)');
    this.addSql('create index webhook_delivery_by_age on webhook_delivery (created_at)');
    this.addSql(`
      create table webhook_attempt (
        delivery_id uuid not null references webhook_delivery on delete cascade,
        number int not null,
        at timestamptz(3) not null,
        status int null,
        error text null,
        duration_ms int not null,
        primary key (delivery_id, number))`);
  }
}
