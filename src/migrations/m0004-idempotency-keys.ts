import { Migration } from '@mikro-orm/migrations';

export class M0004IdempotencyKeys extends Migration {
  override up(): void {
    // A row is claimed (claimed_until in the future), free (claimed_until in the past) or answered (sealed_response
    // set). Retries of a request keep reserved_id, which becomes the id of the run that it starts.
    this.addSql(`
      create table idempotency_key (
        user_id int not null references app_user on delete cascade,
        key text not null,
        request_digest bytea not null,
        claim uuid not null,
        claimed_until timestamptz(3) not null,
        reserved_id uuid not null,
        sealed_response text null,
        created_at timestamptz(3) not null default now(),
        primary key (user_id, key))`);
    this.addSql('create index idempotency_key_by_age on idempotency_key (created_at)');
    // For a run of an unsaved graph: distinguishes a repeated request from another one with the same id.
    this.addSql('alter table workflow_run add graph_digest bytea null');
  }
}
