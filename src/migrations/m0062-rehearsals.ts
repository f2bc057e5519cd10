import { Migration } from '@mikro-orm/migrations';

/** Rehearsals of recorded runs, and the check that a project requires in front of a publication. */
export class M0062Rehearsals extends Migration {
  override up(): void {
    this.addSql(`
      alter table project add column publish_requirement text not null default 'none'
        constraint project_publish_requirement_check check (publish_requirement in ('none', 'no_failures', 'no_changes'))`);
    this.addSql(`
      create table rehearsal (
        id uuid primary key,
        project_id int not null constraint rehearsal_project_id_fkey references project on delete cascade,
        workflow_id int not null constraint rehearsal_workflow_id_fkey references workflow on delete cascade,
        revision_id int constraint rehearsal_revision_id_fkey references workflow_revision on delete cascade,
        user_id int constraint rehearsal_user_id_fkey references app_user on delete set null,
        kind text not null constraint rehearsal_kind_check check (kind in ('publish_check', 'what_if', 'bisect')),
        state text not null default 'queued'
          constraint rehearsal_state_check check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
        settings json not null,
        budget_usd numeric not null,
        spent_usd numeric not null default 0,
        runs_count int not null default 0,
        ended_count int not null default 0,
        verdict text
          constraint rehearsal_verdict_check check (verdict in ('unchanged', 'changed', 'failed', 'incomplete')),
        finding json,
        error text,
        attempts int not null default 0,
        lease_token bigint not null default 0,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        started_at timestamptz(3),
        finished_at timestamptz(3))`);
    this.addSql('create index rehearsal_of_project on rehearsal (project_id)');
    this.addSql('create index rehearsal_of_workflow on rehearsal (workflow_id, created_at desc, id desc)');
    this.addSql('create index rehearsal_of_revision on rehearsal (revision_id) where revision_id is not null');
    this.addSql(`create index rehearsal_open on rehearsal (state, updated_at) where state in ('queued', 'running')`);
    this.addSql('create index rehearsal_by_end on rehearsal (finished_at) where finished_at is not null');
    // One recorded run in a rehearsal. Its id is the holder of reservations and the run of ledger rows.
    this.addSql(`
      create table rehearsal_run (
        id uuid primary key,
        rehearsal_id uuid not null constraint rehearsal_run_rehearsal_id_fkey references rehearsal on delete cascade,
        position int not null,
        run_id uuid not null,
        revision_id int constraint rehearsal_run_revision_id_fkey references workflow_revision on delete set null,
        outcome text constraint rehearsal_run_outcome_check
          check (outcome in ('unchanged', 'changed', 'fixed', 'failed', 'incomplete')),
        report json)`);
    this.addSql('create unique index rehearsal_run_position on rehearsal_run (rehearsal_id, position)');
    this.addSql('create index rehearsal_run_of_revision on rehearsal_run (revision_id) where revision_id is not null');
    // Calls of an unfinished rehearsal, encrypted. They are deleted with the end of their run.
    this.addSql(`
      create table rehearsal_event (
        rehearsal_run_id uuid not null
          constraint rehearsal_event_rehearsal_run_id_fkey references rehearsal_run on delete cascade,
        sequence int not null,
        sealed_event text not null,
        primary key (rehearsal_run_id, sequence))`);
  }
}
