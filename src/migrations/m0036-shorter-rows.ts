import { Migration } from '@mikro-orm/migrations';

export class M0036ShorterRows extends Migration {
  override up(): void {
    // The identity of a ledger row within its run, in 16 bytes. Lengths separate parts that would otherwise concatenate
    // equally. The function is immutable, so PostgreSQL inlines it in each call.
    this.addSql(`
      create function ledger_key(node_id text, iteration text, operation text) returns uuid
      language sql immutable parallel safe as $$
        select encode(substring(sha256(replace(
          length(node_id)::text || ':' || node_id || length(iteration)::text || ':' || iteration || operation,
          E'\\\\', E'\\\\\\\\')::bytea) from 1 for 16), 'hex')::uuid
      $$`);
    this.addSql(
      'create unique index billing_transaction_once on billing_transaction (run_id, ledger_key(node_id, iteration, operation))',
    );
    this.addSql(
      'alter table billing_transaction drop constraint billing_transaction_run_id_node_id_iteration_operation_key',
    );
    // Rows of the ledger never change.
    this.addSql('alter table billing_transaction drop updated_at');
    // Bytes are a quarter shorter than base64.
    this.addSql(
      `alter table idempotency_key alter sealed_response type bytea using decode(split_part(sealed_response, '.', 2), 'base64')`,
    );
  }
}
