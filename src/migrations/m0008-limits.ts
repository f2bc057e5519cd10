import { Migration } from '@mikro-orm/migrations';

export class M0008Limits extends Migration {
  override up(): void {
    // What a key has used of its present minute. Every request writes here, and a crash may lose it: unlogged, and with
    // room in its pages for the next version of a row. `granted` is what the last statement took.
    this.addSql(`
      create unlogged table api_key_window (
        api_key_id int primary key references api_key on delete cascade,
        opened_at timestamptz not null,
        used int not null,
        granted int not null) with (fillfactor = 30)`);
    // What administrators switch while the service runs, by name.
    this.addSql(`
      create table service_setting (
        name text primary key,
        value jsonb not null,
        updated_at timestamptz(3) not null default now())`);
  }
}
