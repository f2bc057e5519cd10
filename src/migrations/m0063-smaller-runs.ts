import { Migration } from '@mikro-orm/migrations';

/** The columns of indexes whose rows arrive in the order of their time. */
const INDEXES: Record<string, string> = {
  audit_entry_by_time: 'audit_entry (created_at, id)',
  audit_entry_of_project: 'audit_entry (project_id, created_at, id)',
  audit_entry_of_user: 'audit_entry (user_id, created_at, id)',
  billing_credit_of_project: 'billing_credit (project_id, created_at, run_id)',
  billing_transaction_chat_of_project: `billing_transaction (project_id, created_at) where project_id is not null and operation = 'chat-completion'`,
  billing_transaction_chat_of_user: `billing_transaction (user_id, created_at) where operation = 'chat-completion'`,
  billing_transaction_of_project: 'billing_transaction (project_id, created_at) where project_id is not null',
  document_project_history: 'document (project_id, created_at, id)',
  keyword_run_of_project: 'keyword_run (project_id, created_at, id)',
  project_file_history: 'project_file (project_id, created_at, id)',
  recognition_run_project_history: 'recognition_run (project_id, created_at, id)',
  rehearsal_of_workflow: 'rehearsal (workflow_id, created_at, id)',
  scenario_run_of_scenario: 'scenario_run (scenario_id, created_at, id)',
  scenario_run_project_history: 'scenario_run (project_id, created_at, id)',
  trigger_firing_of_trigger: 'trigger_firing (trigger_id, created_at, id)',
  webhook_delivery_of_project: 'webhook_delivery (project_id, created_at, id)',
  workflow_run_examples: 'workflow_run (workflow_id, created_at, id) where use_in_marketplace_example',
  workflow_run_history_by_time: 'workflow_run (workflow_id, created_at, id)',
  workflow_run_project_history: 'workflow_run (project_id, created_at, id)',
  workflow_run_unsuccessful_of_project: `workflow_run (project_id, created_at, id) where state in ('draft', 'failed', 'cancelled')`,
  workflow_run_unsuccessful_of_workflow: `workflow_run (workflow_id, created_at, id) where state in ('draft', 'failed', 'cancelled')`,
};

export class M0063SmallerRuns extends Migration {
  override up(): void {
    // New rows of a descending index go to its left end, where each split leaves two half-full pages. At the right end
    // PostgreSQL fills pages to 90 %. Lists scan the index backwards.
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.addSql(`drop index ${name}`);
      this.addSql(`create index ${name} on ${columns}`);
    }
    // Null: the same as `operation`.
    this.addSql('alter table billing_transaction alter description drop not null');
  }
}
