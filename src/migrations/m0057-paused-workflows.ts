import { Migration } from '@mikro-orm/migrations';

/** Workflows whose triggers start no runs. */
export class M0057PausedWorkflows extends Migration {
  override up(): void {
    this.addSql('alter table workflow add paused_at timestamptz(3) null');
  }
}
