import { Migration } from '@mikro-orm/migrations';

export class M0028Retention extends Migration {
  override up(): void {
    // When the results of the run were deleted: outcome, journal, copies and images. The row stays.
    this.addSql('alter table scenario_run add expired_at timestamptz(3) null');
    this.addSql(
      `create index scenario_run_to_expire on scenario_run (updated_at)
        where finished_at is not null and expired_at is null`,
    );
    this.addSql('create index workflow_archived on workflow (archived_at) where archived_at is not null');
    this.addSql('create index refresh_token_by_expiry on refresh_token (expires_at)');
    this.addSql('create index workflow_revision_by_age on workflow_revision (created_at)');
  }
}
