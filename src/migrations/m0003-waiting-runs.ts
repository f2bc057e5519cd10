import { Migration } from '@mikro-orm/migrations';

export class M0003WaitingRuns extends Migration {
  override up(): void {
    // A waiting run has no lease. It resumes at wake_at (null: no time) or when it is signalled. `signals` counts
    // signals, so that none is lost while a worker suspends the run.
    this.addSql('alter table workflow_run drop constraint workflow_run_state_check');
    this.addSql(`
      alter table workflow_run
        add constraint workflow_run_state_check
          check (state in ('draft', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')),
        add wake_at timestamptz(3) null,
        add signals int not null default 0,
        add worked_ms bigint not null default 0,
        add external_sequence int null,
        add parent_run_id uuid null references workflow_run on delete set null,
        add ancestry int[] not null default '{}',
        add forked_from_id uuid null references workflow_run on delete set null`);
    this.addSql(`create index workflow_run_waiting on workflow_run (wake_at) where state = 'waiting'`);
    this.addSql(`create index workflow_run_of_parent on workflow_run (parent_run_id) where parent_run_id is not null`);
    this.addSql(`create index workflow_run_forks on workflow_run (forked_from_id) where forked_from_id is not null`);
    this.addSql(`
      create table workflow_run_approval (
        id uuid primary key,
        run_id uuid not null references workflow_run on delete cascade,
        project_id int not null references project on delete cascade,
        node_id text not null,
        iteration text not null default '',
        kind text not null check (kind in ('start', 'tool')),
        tool text null,
        arguments json null,
        requested_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        decision text null check (decision in ('approved', 'rejected')),
        decided_at timestamptz(3) null,
        decided_by_id int null references app_user on delete set null)`);
    this.addSql('create index workflow_run_approval_of_run on workflow_run_approval (run_id)');
    this.addSql(
      'create index workflow_run_approval_pending on workflow_run_approval (project_id, requested_at) where decision is null',
    );
  }
}
