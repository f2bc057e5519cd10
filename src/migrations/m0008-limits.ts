import { Migration } from '@mikro-orm/migrations';

export class M0008Limits extends Migration {
  override up(): void {
    // Requests of a key in the current minute. The table is unlogged, because each request writes it and a crash may
    // lose it. Pages have room for new versions of rows. `granted` is the amount of the last statement.
    this.addSql(`
      create unlogged table api_key_window (
        api_key_id int primary key references api_key on delete cascade,
        opened_at timestamptz not null,
        used int not null,
        granted int not null) with (fillfactor = 30)`);
    // Settings by name that administrators change while the service runs.
    this.addSql(`
      create table service_setting (
        name text primary key,
        value jsonb not null,
        updated_at timestamptz(3) not null default now())`);
  }
}
