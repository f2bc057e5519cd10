import { Migration } from '@mikro-orm/migrations';

/** Events that are sent to a project, and the waits of runs for them. */
export class M0053WorkflowEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table workflow_event (
        id uuid primary key,
        project_id int not null constraint workflow_event_project_id_fkey references project on delete cascade,
        name text not null,
        correlation_key text not null,
        digest bytea not null,
        payload json not null,
        sent_at timestamptz(3) not null default now(),
        delivered_at timestamptz(3))`);
    this.addSql('create index workflow_event_sent on workflow_event (project_id, sent_at)');
    this.addSql('create index workflow_event_by_age on workflow_event (sent_at)');
    this.addSql(`
      create table workflow_run_event_wait (
        id uuid primary key,
        run_id uuid not null constraint workflow_run_event_wait_run_id_fkey references workflow_run on delete cascade,
        project_id int not null constraint workflow_run_event_wait_project_id_fkey references project on delete cascade,
        digest bytea not null,
        accepted_from timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        event_id uuid,
        created_at timestamptz(3) not null default now())`);
    this.addSql(
      'create index workflow_run_event_wait_open on workflow_run_event_wait (project_id, digest) where event_id is null',
    );
    this.addSql(
      'create unique index workflow_run_event_wait_once on workflow_run_event_wait (run_id, event_id) where event_id is not null',
    );
    this.addSql('create index workflow_run_event_wait_of_run on workflow_run_event_wait (run_id)');
    this.addSql(
      'create index workflow_run_event_wait_of_event on workflow_run_event_wait (event_id) where event_id is not null',
    );
  }
}
