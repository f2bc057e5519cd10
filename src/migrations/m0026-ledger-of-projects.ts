import { Migration } from '@mikro-orm/migrations';

export class M0026LedgerOfProjects extends Migration {
  override up(): void {
    // Rows without a project are found by user. Excluding them saves a fifth of the index.
    const ofProject = 'on billing_transaction (project_id, created_at desc) where project_id is not null';
    this.addSql('drop index billing_transaction_of_project, billing_transaction_chat_of_project');
    this.addSql(`create index billing_transaction_of_project ${ofProject}`);
    this.addSql(`create index billing_transaction_chat_of_project ${ofProject} and operation = 'chat-completion'`);
  }
}
