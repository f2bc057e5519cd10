import { Migration } from '@mikro-orm/migrations';

export class M0015ProviderKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table provider_key (
        id serial primary key,
        project_id int not null references project on delete cascade,
        provider text not null check (provider in ('openai', 'anthropic', 'gemini')),
        name text not null,
        base_url text null,
        sealed text not null,
        last4 text not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index provider_key_of_project on provider_key (project_id)');

    // A chat completion belongs to a key and its user. It belongs to a project only if the caller names one.
    this.addSql('alter table billing_transaction alter project_id drop not null, add api_key_id int null');
    this.addSql(
      `create index billing_transaction_chat_of_user on billing_transaction (user_id, created_at desc) where operation = 'chat-completion'`,
    );
    this.addSql(
      `create index billing_transaction_chat_of_project on billing_transaction (project_id, created_at desc) where operation = 'chat-completion'`,
    );
    this.addSql('alter table api_key add spent_usd numeric not null default 0');
  }
}
