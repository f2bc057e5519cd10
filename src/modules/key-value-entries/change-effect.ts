import { isDeepStrictEqual } from 'node:util';
import {
  type KeyValue,
  type KeyValueChange,
  type KeyValueCondition,
  type KeyValueOutcome,
  MAX_KEY,
  MAX_VALUE_BYTES,
} from '../../engine/key-value/port.js';
import { isUnstorableJson, MAX_JSON_DEPTH } from '../../platform/errors/fields.js';

/** A change is not possible: a limit or the type of the value. `code` is that of the failed node. */
export class KeyValueError extends Error {
  constructor(
    readonly code: 'key_value_refused' | 'not_a_number',
    message: string,
  ) {
    super(message);
  }
}

/** The effect of a change: it writes a value, removes the entry, or does nothing. `keepsExpiry`: an existing expiry stays. */
export type Effect = { kind: 'write'; value: unknown; keepsExpiry: boolean } | { kind: 'remove' } | { kind: 'none' };

/** Returns the effect of a change on the current value. @throws KeyValueError if an increment has no valid sum */
export function effectOf(change: KeyValueChange, current: KeyValue | undefined): Effect {
  switch (change.operation) {
    case 'set':
      return isMet(change.condition, current)
        ? { kind: 'write', value: change.value, keepsExpiry: false }
        : { kind: 'none' };
    case 'delete':
      return current && isMet(change.condition, current) ? { kind: 'remove' } : { kind: 'none' };
    case 'increment':
      return {
        kind: 'write',
        value: sumOf(change.key, current?.value ?? 0, change.by),
        keepsExpiry: current !== undefined,
      };
  }
}

/** Returns the outcome of a change. `version` is that of a written value; a missing entry has the empty version. */
export function outcomeOf(
  { key }: KeyValueChange,
  current: KeyValue | undefined,
  effect: Effect,
  version: string,
): KeyValueOutcome {
  const found = current !== undefined;
  if (effect.kind === 'write') return { key, applied: true, found, value: effect.value, version };
  if (effect.kind === 'remove') return { key, applied: true, found, value: null, version: '' };
  return { key, applied: false, found, value: current?.value ?? null, version: current?.version ?? '' };
}

/** Returns why the parts of a change cannot be stored; undefined: they can. */
export function changeFault(change: KeyValueChange): { member: 'key' | 'value'; message: string } | undefined {
  const { key } = change;
  if (key.length === 0 || key.length > MAX_KEY || isUnstorableJson(key))
    return { member: 'key', message: `a key has 1-${MAX_KEY} characters, without null characters and lone surrogates` };
  if (change.operation !== 'set') return undefined;
  if (isUnstorableJson(change.value))
    return {
      member: 'value',
      message: `a value has at most ${MAX_JSON_DEPTH} levels and no null characters or lone surrogates`,
    };
  if (Buffer.byteLength(JSON.stringify(change.value)) > MAX_VALUE_BYTES)
    return { member: 'value', message: `a value has at most ${MAX_VALUE_BYTES} bytes as JSON` };
  return undefined;
}

function isMet(condition: KeyValueCondition | undefined, current: KeyValue | undefined): boolean {
  if (condition === undefined) return true;
  if ('version' in condition) return condition.version === (current?.version ?? '');
  return isDeepStrictEqual(condition.value, current?.value ?? null);
}

function sumOf(key: string, value: unknown, by: number): number {
  if (typeof value !== 'number')
    throw new KeyValueError('not_a_number', `the value of ${JSON.stringify(key)} is not a number`);
  const sum = value + by;
  if (!Number.isFinite(sum) || Math.abs(sum) > Number.MAX_SAFE_INTEGER)
    throw new KeyValueError('not_a_number', `the sum for ${JSON.stringify(key)} exceeds ${Number.MAX_SAFE_INTEGER}`);
  return sum;
}
