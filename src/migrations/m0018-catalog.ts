import { Migration } from '@mikro-orm/migrations';

export class M0018Catalog extends Migration {
  override up(): void {
    // Each workflow has statistics, so that an ordered list reads only one page from their index.
    this.addSql('drop trigger workflow_made_published on workflow');
    this.addSql(`
      create trigger workflow_made after insert on workflow for each row
      execute function workflow_publication_counts()`);
    this.addSql(`
      insert into workflow_figures (workflow_id, is_published) select id, is_published from workflow
      on conflict (workflow_id) do nothing`);
    this.addSql(
      'create index workflow_catalog_by_age on workflow (created_at desc, id desc) where archived_at is null',
    );
    this.addSql(
      'create index workflow_figures_catalog_by_cost on workflow_figures (total_cost_usd desc, workflow_id desc)',
    );
    this.addSql(
      'create index workflow_figures_catalog_by_run on workflow_figures (last_run_at desc nulls last, workflow_id desc)',
    );
  }
}
