import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';
import { BatchedReads } from '../../platform/sql/batched-reads.js';
import { type StoredTrigger, TRIGGER_COLUMNS } from './stored-trigger.js';
import type { TriggerTables } from './trigger-tables.js';
import type { TriggerKind } from './workflow-trigger.entity.js';

/** A kind of trigger and the digest of the token in its address. */
interface Address {
  kind: TriggerKind;
  digest: Buffer;
}

const FIND = keyedQuery(
  'triggers-by-address',
  (tables: QueryCreator<TriggerTables>, value: Placeholder<{ digests: Buffer[]; kinds: TriggerKind[] }>) =>
    tables
      .selectFrom(
        expression<{ digest: Buffer; kind: TriggerKind; nth: number }>`
          unnest(${value('digests')}::bytea[], ${value('kinds')}::text[])
          with ordinality`.as<'a'>(expression`a(digest, kind, nth)`),
      )
      .innerJoin('workflow_trigger as t', join =>
        join.onRef('t.token_digest', '=', 'a.digest').onRef('t.kind', '=', 'a.kind'),
      )
      .innerJoin('workflow as w', join => join.onRef('w.id', '=', 't.workflow_id').on('w.archived_at', 'is', null))
      .select('a.nth')
      .select(TRIGGER_COLUMNS)
      .$castTo<StoredTrigger & { nth: number }>(),
);

/**
 * Finds triggers of unarchived workflows by the token in their address. Concurrent calls share one statement, and calls
 * of the same address one trigger.
 */
export class TriggerAddresses {
  readonly #triggers: BatchedReads<Address, StoredTrigger>;

  constructor(
    database: Database,
    private readonly vault: Vault,
  ) {
    this.#triggers = new BatchedReads(
      ({ kind, digest }) => `${kind} ${digest.toString('latin1')}`,
      async addresses => {
        const rows = await FIND(database, {
          digests: addresses.map(({ digest }) => digest),
          kinds: addresses.map(({ kind }) => kind),
        });
        return rows.map(({ nth, ...trigger }) => [addresses[nth - 1]!, trigger] as const);
      },
    );
  }

  find(kind: TriggerKind, token: string): Promise<StoredTrigger | undefined> {
    return this.#triggers.read({ kind, digest: this.vault.digest(token) });
  }
}
