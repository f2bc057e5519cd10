import { Migration } from '@mikro-orm/migrations';

/** The configuration names the model providers, so a new provider needs no migration. */
export class M0043ProviderNames extends Migration {
  override up(): void {
    this.addSql('alter table provider_key drop constraint provider_key_provider_check');
  }
}
