import { Migration } from '@mikro-orm/migrations';

/** Workflows whose triggers start no runs. */
export class M0060PausedWorkflows extends Migration {
  override up(): void {
    this.addSql('alter table workflow add paused_at timestamptz(3) null');
  }
}
