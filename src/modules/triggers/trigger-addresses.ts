import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';
import { Batcher } from '../../platform/sql/batcher.js';
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
  readonly #batches: Batcher<Address, StoredTrigger | undefined>;

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {
    this.#batches = new Batcher(addresses => this.#findAll(addresses), { concurrency: 2, maxBatch: 500 });
  }

  find(kind: TriggerKind, token: string): Promise<StoredTrigger | undefined> {
    return this.#batches.add({ kind, digest: this.vault.digest(token) });
  }

  async #findAll(addresses: readonly Address[]): Promise<(StoredTrigger | undefined)[]> {
    const keys = addresses.map(({ kind, digest }) => `${kind} ${digest.toString('latin1')}`);
    const distinct = [...new Map(keys.map((key, index) => [key, addresses[index]!]))];
    const rows = await FIND(this.database, {
      digests: distinct.map(([, { digest }]) => digest),
      kinds: distinct.map(([, { kind }]) => kind),
    });
    const byKey = new Map<string, StoredTrigger>(rows.map(({ nth, ...trigger }) => [distinct[nth - 1]![0], trigger]));
    return keys.map(key => byKey.get(key));
  }
}
