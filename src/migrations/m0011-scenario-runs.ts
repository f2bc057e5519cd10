import { Migration } from '@mikro-orm/migrations';

const COPIED = ['variable', 'prompt', 'message', 'scenario'];

export class M0011ScenarioRuns extends Migration {
  override up(): void {
    // billing_id identifies the run in the ledger, the queue and reservations, whose runs have UUIDs.
    this.addSql(`
      create table scenario_run (
        id serial primary key,
        billing_id uuid not null constraint scenario_run_billing_id_unique unique,
        scenario_id int null references scenario on delete set null,
        project_id int not null references project on delete cascade,
        user_id int null references app_user on delete set null,
        parent_run_id uuid null,
        status text not null default 'created'
          check (status in ('created', 'in_progress', 'finished', 'error', 'cancelled')),
        webhook_url text not null default '',
        do_run_default boolean not null default false,
        inserted_variables json not null default '[]',
        sequence int not null default 0,
        attempts int not null default 0,
        lease_token bigint not null default 0,
        lease_until timestamptz(3) null,
        queued_at timestamptz(3) not null default now(),
        worked_ms bigint not null default 0,
        prompt_tokens bigint not null default 0,
        completion_tokens bigint not null default 0,
        cost_usd numeric not null default 0,
        final_result text null,
        local_variables json null,
        processed_messages json null,
        error json null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        started_at timestamptz(3) null,
        finished_at timestamptz(3) null
      ) with (fillfactor = 80)`);
    this.addSql('create index scenario_run_of_scenario on scenario_run (scenario_id, created_at desc, id desc)');
    this.addSql('create index scenario_run_of_project on scenario_run (project_id)');
    this.addSql(
      'create index scenario_run_of_parent on scenario_run (parent_run_id) where parent_run_id is not null and finished_at is null',
    );
    this.addSql(
      `create index scenario_run_alive on scenario_run (status, lease_until, queued_at) where status in ('created', 'in_progress')`,
    );
    // Terminal states are final. A trigger in the database prevents any later change of state.
    this.addSql(`
      create function scenario_run_end_is_final() returns trigger language plpgsql as $$
      begin
        raise exception 'scenario run % has ended as %', old.id, old.status using errcode = 'check_violation';
      end $$`);
    this.addSql(`
      create trigger scenario_run_end_is_final before update of status on scenario_run for each row
      when (old.status in ('finished', 'error', 'cancelled') and new.status is distinct from old.status)
      execute function scenario_run_end_is_final()`);
    this.addSql(`
      create table scenario_run_journal (
        run_id int not null references scenario_run on delete cascade,
        first_sequence int not null,
        last_sequence int not null,
        events json not null,
        primary key (run_id, first_sequence))`);

    for (const table of COPIED) {
      // Until now there were no runs, so no row can be a copy for a run.
      this.addSql(`delete from ${table} where scenariorun_id is not null`);
      this.addSql(`
        alter table ${table} add constraint ${table}_of_scenario_run
          foreign key (scenariorun_id) references scenario_run on delete cascade`);
      // Placeholders and conditions of a copy refer to this id. The original itself may be deleted.
      if (table !== 'scenario') this.addSql(`alter table ${table} add column original_id int null`);
    }
  }
}
