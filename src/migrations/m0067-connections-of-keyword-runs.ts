import { Migration } from '@mikro-orm/migrations';

/** The connection whose credentials a keyword run sends with the request for its page. */
export class M0067ConnectionsOfKeywordRuns extends Migration {
  override up(): void {
    this.addSql('alter table keyword_run add column connection_id int');
  }
}
