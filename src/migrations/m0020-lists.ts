import { Migration } from '@mikro-orm/migrations';

/** Indexes for the filters and orders of lists. */
export class M0020Lists extends Migration {
  override up(): void {
    // Runs of a project, newest first.
    this.addSql('create index workflow_run_project_history on workflow_run (project_id, created_at desc, id desc)');
    this.addSql('create index scenario_run_project_history on scenario_run (project_id, created_at desc, id desc)');
    // Few runs are in these states. Partial indexes find them without a scan, and succeeded runs add no entries.
    for (const owner of ['workflow', 'project'])
      this.addSql(
        `create index workflow_run_unsuccessful_of_${owner} on workflow_run (${owner}_id, created_at desc, id desc)
          where state in ('draft', 'failed', 'cancelled')`,
      );
    this.addSql('create index project_by_age on project (created_at desc, id desc)');
    this.addSql('create index project_by_name on project (name, id)');
    this.addSql('create index document_project_history on document (project_id, created_at desc, id desc)');
    this.addSql(
      'create index recognition_run_project_history on recognition_run (project_id, created_at desc, id desc)',
    );
    this.addSql('create index audit_entry_of_user on audit_entry (user_id, created_at desc, id desc)');
    this.addSql('create index app_user_by_age on app_user (created_at desc, id desc)');
    // Accelerates searches for a part of the text. The search also works without the extension.
    this.addSql(`
      do $$ begin
        create extension if not exists pg_trgm;
        create index app_user_by_part on app_user using gin (email gin_trgm_ops, name gin_trgm_ops);
        create index keyword_by_part on keyword using gin (name gin_trgm_ops);
      exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        raise notice 'pg_trgm is not available: searching by a part of a text reads all rows';
      end $$`);
  }
}
