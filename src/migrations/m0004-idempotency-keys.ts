import { Migration } from '@mikro-orm/migrations';

export class M0004IdempotencyKeys extends Migration {
  override up(): void {
    // A row is claimed (claimed_until ahead), free (claimed_until past) or answered (sealed_response set).
    // reserved_id stays the same while one request is tried again: a run that it starts takes it as its id.
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
    // Of a run of a graph that was not stored as a workflow: tells the same request from another with the same id.
    this.addSql('alter table workflow_run add graph_digest bytea null');
  }
}
