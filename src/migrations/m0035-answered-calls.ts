import { Migration } from '@mikro-orm/migrations';

export class M0035AnsweredCalls extends Migration {
  override up(): void {
    // Chat completions that each process has answered, counted independently of the ledger and compared with it. The
    // process with the zero id is the sum of processes that ended long ago.
    this.addSql(`
      create table answered_calls (
        process uuid not null,
        provider text not null,
        model text not null,
        calls bigint not null,
        updated_at timestamptz(3) not null default now(),
        primary key (process, provider, model))`);
    // The start of the comparison with the ledger. `id` identifies the database to spool files on local disks.
    this.addSql(`
      insert into service_setting (name, value)
      values ('installation', jsonb_build_object('id', gen_random_uuid(), 'countsSince', now()))`);
  }
}
