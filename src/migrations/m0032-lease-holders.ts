import { Migration } from '@mikro-orm/migrations';

export class M0032LeaseHolders extends Migration {
  override up(): void {
    // The number of attempts was the fencing token. After a failover to a lagging replica such numbers would be issued
    // again.
    for (const table of ['recognition_run', 'webhook_delivery'])
      this.addSql(`alter table ${table} add lease_token bigint not null default 0`);
  }
}
