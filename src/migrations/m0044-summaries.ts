import { Migration } from '@mikro-orm/migrations';

/** Hourly sums of the ledger and of ended runs, so that summaries of a year read few rows. */
export class M0044Summaries extends Migration {
  override up(): void {
    this.addSql(`
      create table spending_hour (
        project_id int not null references project on delete cascade,
        hour timestamptz(3) not null,
        workflow_id int not null,
        model text not null,
        user_id int not null,
        api_key_id int not null,
        amount_usd numeric not null,
        transactions int not null,
        prompt_tokens bigint not null,
        completion_tokens bigint not null,
        primary key (project_id, hour, workflow_id, model, user_id, api_key_id))`);
    this.addSql(`
      create table run_hour (
        project_id int not null references project on delete cascade,
        hour timestamptz(3) not null,
        workflow_id int not null,
        state text not null check (state in ('succeeded', 'failed', 'cancelled')),
        duration_class int not null,
        runs int not null,
        cost_usd numeric not null,
        primary key (project_id, hour, workflow_id, state, duration_class))`);
    this.addSql('create table summary_progress (id int primary key, through timestamptz(3) not null)');
  }
}
