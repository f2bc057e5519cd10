import { Migration } from '@mikro-orm/migrations';

export class M0049Triggers extends Migration {
  override up(): void {
    this.addSql(`
      create table workflow_trigger (
        id serial primary key,
        project_id int not null constraint workflow_trigger_project_id_fkey references project on delete cascade,
        workflow_id int not null constraint workflow_trigger_workflow_id_fkey references workflow on delete cascade,
        user_id int constraint workflow_trigger_user_id_fkey references app_user on delete set null,
        kind text not null constraint workflow_trigger_kind_check check (kind in ('schedule', 'webhook')),
        name text not null,
        is_enabled boolean not null default true,
        input jsonb not null default '{}',
        settings jsonb not null default '{}',
        token_digest bytea constraint workflow_trigger_token_digest_key unique,
        sealed text,
        next_at timestamptz(3),
        start_at timestamptz(3),
        waiting_at timestamptz(3),
        last_run_id uuid,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create index workflow_trigger_of_project on workflow_trigger (project_id)');
    this.addSql('create index workflow_trigger_of_workflow on workflow_trigger (workflow_id)');
    this.addSql('create index workflow_trigger_of_user on workflow_trigger (user_id)');
    this.addSql(
      'create index workflow_trigger_due on workflow_trigger (start_at) where is_enabled and start_at is not null',
    );
    this.addSql(
      'create index workflow_trigger_waiting on workflow_trigger (waiting_at) where is_enabled and waiting_at is not null',
    );
    this.addSql(`
      create table trigger_firing (
        id uuid primary key,
        trigger_id int not null constraint trigger_firing_trigger_id_fkey references workflow_trigger on delete cascade,
        outcome text not null constraint trigger_firing_outcome_check
          check (outcome in ('started', 'skipped', 'waiting', 'refused', 'rejected')),
        due_at timestamptz(3),
        run_id uuid,
        reason text,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index trigger_firing_by_age on trigger_firing (created_at)');
    this.addSql('create index trigger_firing_of_trigger on trigger_firing (trigger_id, created_at desc, id desc)');
  }
}
