import { Migration } from '@mikro-orm/migrations';

export class M0032LeaseHolders extends Migration {
  override up(): void {
    // The number of attempts was the fencing token. A fail-over to a replica that lags behind hands such numbers out again.
    for (const table of ['recognition_run', 'webhook_delivery'])
      this.addSql(`alter table ${table} add lease_token bigint not null default 0`);
  }
}
