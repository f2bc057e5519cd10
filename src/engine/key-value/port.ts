/** Maximum characters of a key. */
export const MAX_KEY = 256;
/** Maximum UTF-8 bytes of a value as JSON. */
export const MAX_VALUE_BYTES = 65_536;
/** Maximum lifetime of an entry in seconds: 10 years. */
export const MAX_TTL_SECONDS = 315_360_000;
/** Maximum number of entries that one call lists. */
export const MAX_LISTED = 1000;

/** The value of a key. */
export interface KeyValue {
  key: string;
  value: unknown;
  /** Changes with each write and never repeats for the key. */
  version: string;
}

/** A condition for a change: the current value, or the current version; the empty version: the key has no value. */
export type KeyValueCondition = { value: unknown } | { version: string };

/** A change of one key. `ttlSeconds` null: a new value does not expire. */
export type KeyValueChange =
  | { operation: 'set'; key: string; value: unknown; ttlSeconds: number | null; condition?: KeyValueCondition }
  /** Adds `by` to a number, or to 0. An existing value keeps its expiry. */
  | { operation: 'increment'; key: string; by: number; ttlSeconds: number | null }
  | { operation: 'delete'; key: string; condition?: KeyValueCondition };

/** The outcome of a change. */
export interface KeyValueOutcome {
  key: string;
  /** False if the condition was not met, or there was nothing to delete. */
  applied: boolean;
  /** True if the key had a value before. */
  found: boolean;
  /** The value after the change; null: none. */
  value: unknown;
  /** The version after the change; empty: the key has no value. */
  version: string;
}

/** The key-value store of the run's project. Keys are read without expired values. */
export interface KeyValueStore {
  find(key: string): Promise<KeyValue | null>;
  /** Returns at most `limit` entries whose key begins with `prefix` and sorts after `after`, by key. */
  list(query: { prefix: string; after: string; limit: number }): Promise<KeyValue[]>;
  /**
   * Applies a change. A repeated call with the same `changeKey` changes nothing and returns the first outcome. Throws a
   * PortError with the code `key_value_refused` when a limit is exceeded, `not_a_number` when an increment is impossible.
   */
  change(change: KeyValueChange, changeKey: string): Promise<KeyValueOutcome>;
}
