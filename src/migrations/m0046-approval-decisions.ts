import { Migration } from '@mikro-orm/migrations';

/** What a person saw, changed and said when deciding an approval request. */
export class M0046ApprovalDecisions extends Migration {
  override up(): void {
    this.addSql(`
      alter table workflow_run_approval
        add details json,
        add edited_arguments json,
        add comment text`);
    this.addSql('create index workflow_run_approval_history on workflow_run_approval (project_id, requested_at)');
  }
}
