import type { KeyValue, KeyValueChange, KeyValueOutcome } from '../../engine/key-value/port.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { type Effect, effectOf, KeyValueError, outcomeOf } from './change-effect.js';
import { ENTRY_COLUMNS, type KeyValueEntry } from './key-value-entry.type.js';
import type { KeyValueTables } from './key-value-tables.js';

/** Limits of a project: entries, and bytes of keys and values. */
export const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** A change of an entry of a project. */
export interface ChangeRequest {
  projectId: number;
  change: KeyValueChange;
  /** The id under which the outcome is recorded. Absent: it is not recorded. */
  changeId?: string;
}

/** Work in the transaction of a change, with its outcome. */
type OnChange = (sql: Sql, outcome: KeyValueOutcome) => Promise<void>;

interface Sums {
  version: number;
  entries: number;
  bytes: number;
}

/** The entry before a change. `isExpired`: it no longer has a value. */
interface StoredEntry extends KeyValueEntry {
  bytes: number;
  isExpired: boolean;
}

/** Returns the condition that an entry has not expired. */
export function isLive() {
  return expression<boolean>`(e.expires_at is null or e.expires_at > now())`;
}

/** Entries of projects. It checks no rights. */
export class ProjectKeyValues {
  constructor(readonly database: Database) {}

  async find(projectId: number, key: string): Promise<KeyValueEntry | undefined> {
    return queryBuilder<KeyValueTables>(this.database)
      .selectFrom('key_value_entry as e')
      .select(ENTRY_COLUMNS)
      .where('e.project_id', '=', projectId)
      .where('e.key', '=', key)
      .where(isLive())
      .executeTakeFirst();
  }

  /** Returns entries by key, from the one after `after`. */
  async list(
    projectId: number,
    { prefix, after, limit }: { prefix: string; after: string; limit: number },
  ): Promise<KeyValueEntry[]> {
    return (
      queryBuilder<KeyValueTables>(this.database)
        .selectFrom('key_value_entry as e')
        .select(ENTRY_COLUMNS)
        .where('e.project_id', '=', projectId)
        .where('e.key', '>', after)
        // Limits the range of the index scan, which `starts_with` does not.
        .where('e.key', '>=', prefix)
        .where(expression<boolean>`starts_with(e.key, ${prefix})`)
        .where(isLive())
        .orderBy('e.key')
        .limit(limit)
        .execute()
    );
  }

  /**
   * Applies a change. With a `changeId` that is recorded, it changes nothing and returns the recorded outcome. `onChange`
   * runs in the transaction of an applied change. @throws KeyValueError
   */
  async change(request: ChangeRequest, onChange?: OnChange): Promise<KeyValueOutcome> {
    const outcome = await this.database.transaction(async sql => {
      const changed = await changeEntry(sql, request);
      if (changed.applied) await onChange?.(sql, changed);
      failpoint('key-value.before-commit');
      return changed;
    });
    failpoint('key-value.after-commit');
    return outcome;
  }
}

async function changeEntry(sql: Sql, { projectId, change, changeId }: ChangeRequest): Promise<KeyValueOutcome> {
  const sums = await lockStore(sql, projectId);
  const recorded = changeId === undefined ? undefined : await findRecordedOutcome(sql, changeId);
  if (recorded) return recorded;
  const stored = await findStoredEntry(sql, projectId, change.key);
  const current: KeyValue | undefined = stored?.isExpired ? undefined : stored;
  const effect = effectOf(change, current);
  const outcome = outcomeOf(change, current, effect, String(sums.version));
  await applyEffect(sql, { projectId, change, stored, effect, sums });
  if (changeId !== undefined)
    await queryBuilder<KeyValueTables>(sql)
      .insertInto('key_value_change')
      .values({ id: changeId, project_id: projectId, outcome: JSON.stringify(outcome) })
      .execute();
  return outcome;
}

/** Locks the sums of the project and takes the next version. */
async function lockStore(sql: Sql, projectId: number): Promise<Sums> {
  return queryBuilder<KeyValueTables>(sql)
    .insertInto('key_value_store')
    .values({ project_id: projectId, version: 1 })
    .onConflict(conflict =>
      conflict.column('project_id').doUpdateSet({ version: expression<number>`key_value_store.version + 1` }),
    )
    .returning(['version', 'entries', 'bytes'])
    .executeTakeFirstOrThrow();
}

async function findRecordedOutcome(sql: Sql, changeId: string): Promise<KeyValueOutcome | undefined> {
  const row = await queryBuilder<KeyValueTables>(sql)
    .selectFrom('key_value_change')
    .select('outcome')
    .where('id', '=', changeId)
    .executeTakeFirst();
  return row?.outcome as KeyValueOutcome | undefined;
}

async function findStoredEntry(sql: Sql, projectId: number, key: string): Promise<StoredEntry | undefined> {
  return queryBuilder<KeyValueTables>(sql)
    .selectFrom('key_value_entry as e')
    .select([...ENTRY_COLUMNS, 'e.bytes', expression<boolean>`not ${isLive()}`.as('isExpired')])
    .where('e.project_id', '=', projectId)
    .where('e.key', '=', key)
    .executeTakeFirst();
}

interface EffectToApply {
  projectId: number;
  change: KeyValueChange;
  stored: StoredEntry | undefined;
  effect: Effect;
  sums: Sums;
}

async function applyEffect(sql: Sql, { projectId, change, stored, effect, sums }: EffectToApply): Promise<void> {
  if (effect.kind === 'none') return;
  const id = stored?.id ?? timeOrderedUuid();
  const before = stored ? { entries: 1, bytes: stored.bytes } : { entries: 0, bytes: 0 };
  if (effect.kind === 'remove') {
    await queryBuilder<KeyValueTables>(sql).deleteFrom('key_value_entry').where('id', '=', id).execute();
    return setSums(sql, projectId, { entries: sums.entries - before.entries, bytes: sums.bytes - before.bytes });
  }
  const value = JSON.stringify(effect.value);
  const bytes = Buffer.byteLength(change.key) + Buffer.byteLength(value);
  let next = { entries: sums.entries - before.entries + 1, bytes: sums.bytes - before.bytes + bytes };
  if (isFull(next)) {
    const removed = await deleteExpired(sql, projectId, id);
    next = { entries: next.entries - removed.entries, bytes: next.bytes - removed.bytes };
    assertFits(next);
  }
  const ttl = change.operation === 'delete' ? null : change.ttlSeconds;
  const row = {
    ...{ id, project_id: projectId, key: change.key, value, bytes, version: sums.version },
    expires_at: effect.keepsExpiry
      ? (stored?.expiresAt ?? null)
      : expression<Date | null>`now() + make_interval(secs => ${ttl})`,
    updated_at: NOW,
  };
  await queryBuilder<KeyValueTables>(sql)
    .insertInto('key_value_entry')
    .values(row)
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet({
        ...row,
        ...(stored?.isExpired ? { created_at: NOW } : {}),
      }),
    )
    .execute();
  await setSums(sql, projectId, next);
}

async function setSums(sql: Sql, projectId: number, sums: Pick<Sums, 'entries' | 'bytes'>): Promise<void> {
  await queryBuilder<KeyValueTables>(sql)
    .updateTable('key_value_store')
    .set(sums)
    .where('project_id', '=', projectId)
    .execute();
}

function isFull({ entries, bytes }: Pick<Sums, 'entries' | 'bytes'>): boolean {
  return entries > MAX_ENTRIES || bytes > MAX_BYTES;
}

function assertFits(sums: Pick<Sums, 'entries' | 'bytes'>): void {
  if (!isFull(sums)) return;
  throw new KeyValueError(
    'key_value_refused',
    sums.entries > MAX_ENTRIES
      ? `the key-value store of the project has ${MAX_ENTRIES} entries: delete some, or write them with a lifetime`
      : `the key-value store of the project has at most ${MAX_BYTES} bytes: delete entries, or write smaller values`,
  );
}

/** Deletes expired entries of a project except `keptId`. Call it with the store locked. Returns their sums. */
async function deleteExpired(sql: Sql, projectId: number, keptId: string): Promise<Pick<Sums, 'entries' | 'bytes'>> {
  const removed = await queryBuilder<KeyValueTables>(sql)
    .deleteFrom('key_value_entry')
    .where('project_id', '=', projectId)
    .where('expires_at', '<=', NOW)
    .where('id', '<>', keptId)
    .returning('bytes')
    .execute();
  return { entries: removed.length, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The nil UUID, which no entry has. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Deletes the expired entries of a project. */
export async function deleteExpiredEntries(database: Database, projectId: number): Promise<void> {
  await database.transaction(async sql => {
    const sums = await lockStore(sql, projectId);
    const removed = await deleteExpired(sql, projectId, NO_ID);
    await setSums(sql, projectId, { entries: sums.entries - removed.entries, bytes: sums.bytes - removed.bytes });
  });
}
