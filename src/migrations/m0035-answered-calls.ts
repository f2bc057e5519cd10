import { Migration } from '@mikro-orm/migrations';

export class M0035AnsweredCalls extends Migration {
  override up(): void {
    // Chat completions that each process has answered since it began to count, apart from the ledger: compared with it.
    // The process of zeros is the sum of those that ended long ago.
    this.addSql(`
      create table answered_calls (
        process uuid not null,
        provider text not null,
        model text not null,
        calls bigint not null,
        updated_at timestamptz(3) not null default now(),
        primary key (process, provider, model))`);
    // Which rows of the ledger are compared: those since then. `id` names the database to files on disks of processes.
    this.addSql(`
      insert into service_setting (name, value)
      values ('installation', jsonb_build_object('id', gen_random_uuid(), 'countsSince', now()))`);
  }
}
