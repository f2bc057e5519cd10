import { Migration } from '@mikro-orm/migrations';

/** Questions of approval nodes, and the decision of each person about a request. */
export class M0050ApprovalVotes extends Migration {
  override up(): void {
    this.addSql(`alter table workflow_run_approval add votes json not null default '[]'`);
    this.addSql('alter table workflow_run_approval drop constraint workflow_run_approval_kind_check');
    this.addSql(`
      alter table workflow_run_approval
        add constraint workflow_run_approval_kind_check check (kind in ('start', 'tool', 'decision')) not valid`);
    this.addSql('alter table workflow_run_approval validate constraint workflow_run_approval_kind_check');
  }
}
