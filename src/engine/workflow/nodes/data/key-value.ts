import { z } from 'zod';
import type { JsonObject } from '../../../json-value.js';
import {
  type KeyValue,
  type KeyValueChange,
  type KeyValueStore,
  MAX_KEY,
  MAX_LISTED,
  MAX_TTL_SECONDS,
} from '../../../key-value/port.js';
import { type CallContext, PortError, type Ports } from '../../../ports.js';
import type { FieldCondition } from '../../graph/node-form.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { FILL_IN } from '../../graph/secrets/credentials.js';
import { CLEARED, type SettingMode } from '../../graph/settings.js';

const OPERATIONS = ['get', 'set', 'delete', 'increment', 'compare_and_set', 'list'] as const;
const DEFAULT_LISTED = 100;
/** Maximum characters of a list as JSON. Entries after it are left out. */
const MAX_LIST_LENGTH = 1_000_000;

/** The members that name entries of the store. An operation in a placeholder may use either. */
function membersOf({ operation }: JsonObject): string[] {
  if (operation === 'list') return ['prefix'];
  return typeof operation === 'string' && operation.includes('{{') ? ['key', 'prefix'] : ['key'];
}

const shownFor = (...equals: string[]): { showIf: FieldCondition } => ({ showIf: { path: 'operation', equals } });

export const keyValue = nodeKind({
  type: 'key-value-node',
  nodeType: 'KeyValueNode',
  title: 'Key-value store',
  description:
    'Reads and changes values that the project keeps between runs, such as counters and cursors. Each change is applied exactly once, also if the run resumes. The content is a JSON object.',
  category: 'data',
  effects: 'external',
  outputs: oneOutput,
  defaults: { operation: 'get', key: 'last-order' },
  form: {
    icon: 'key',
    color: '#ca8a04',
    fields: {
      operation: { title: 'Operation', widget: 'select' },
      key: { title: 'Key', widget: 'text', ...shownFor('', 'get', 'set', 'delete', 'increment', 'compare_and_set') },
      value: { title: 'Value', widget: 'textarea', ...shownFor('set', 'compare_and_set') },
      expected: { title: 'Expected value', widget: 'textarea', ...shownFor('compare_and_set') },
      expected_version: {
        title: 'Expected version',
        widget: 'text',
        group: 'advanced',
        ...shownFor('compare_and_set'),
      },
      by: { title: 'Add', widget: 'number', ...shownFor('increment') },
      ttl_seconds: {
        title: 'Lifetime in seconds',
        widget: 'number',
        group: 'advanced',
        ...shownFor('set', 'compare_and_set', 'increment'),
      },
      prefix: { title: 'Prefix', widget: 'text', ...shownFor('list') },
      after: { title: 'After key', widget: 'text', group: 'advanced', ...shownFor('list') },
      limit: { title: 'Maximum number of entries', widget: 'number', group: 'advanced', ...shownFor('list') },
    },
    content: {
      sample: '{"key": "last-order", "found": true, "value": 4711, "version": "12"}',
      schema: {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'The key. Absent for `list`.' },
          found: { type: 'boolean', description: 'Whether the key had a value before. Absent for `list`.' },
          applied: {
            type: 'boolean',
            description: 'Whether the value was changed; false if the expectation was wrong. Only for changes.',
          },
          value: { description: 'The value, after a change the new one; null: none. Absent for `list`.' },
          version: {
            type: 'string',
            description: 'Changes with each write; empty: the key has no value. Absent for `list`.',
          },
          entries: {
            type: 'array',
            description: 'Objects with `key`, `value` and `version`, by key. Only for `list`.',
            items: { type: 'object' },
          },
          truncated: { type: 'boolean', description: 'Whether more entries follow. Only for `list`.' },
        },
      },
    },
  },
  settings: setting =>
    z.looseObject({
      operation: setting
        .value(z.enum(OPERATIONS))
        .nullish()
        .describe(
          '`get` (default) reads a value. `set` writes one, `delete` removes it, `increment` adds to a number, `compare_and_set` writes only if the current value or version is the expected one, `list` reads all values whose key begins with `prefix`.',
        ),
      key: setting
        .text(z.string().min(1).max(MAX_KEY))
        .nullish()
        .describe('The key, 1-256 characters. Required for all operations except `list`.'),
      value: z
        .unknown()
        .optional()
        .describe(
          'The value for `set` and `compare_and_set`: any JSON value of at most 65536 bytes. Secrets in it are stored as `********`. Default: null.',
        ),
      expected: z
        .unknown()
        .optional()
        .describe('The expected value for `compare_and_set`. Null: the key has no value or null. Default: null.'),
      ...writeSettings(setting),
      by: setting
        .value(z.number())
        .nullish()
        .describe(
          'The number that `increment` adds; negative subtracts. A key without a value counts as 0. Default 1.',
        ),
      prefix: setting
        .text(z.string().max(MAX_KEY))
        .nullish()
        .describe('How the keys of `list` begin, at most 256 characters. Default: all keys.'),
      after: setting
        .text(z.string().max(MAX_KEY))
        .nullish()
        .describe('The key after which `list` begins, such as the last key of the previous list. Default: none.'),
      limit: setting
        .value(z.number().int().min(1).max(MAX_LISTED))
        .nullish()
        .describe(
          'Maximum number of entries of `list`, 1-1000. Together they have at most 1000000 characters. Default 100.',
        ),
    }),
  references: data => membersOf(data).map(path => ({ kind: 'key_value', path, value: data[path] })),
  check(data) {
    const cleared = membersOf(data).filter(path => data[path] === FILL_IN);
    if (cleared.length > 0) return cleared.map(path => ({ path, message: CLEARED, code: 'invalid_setting' }));
    const { operation, key } = data;
    const isMissing = operation !== 'list' && (key === undefined || key === null || key === '');
    return isMissing ? [{ path: 'key', message: 'required', code: 'invalid_setting' }] : [];
  },
  execute: async ({ settings, ports, call }) => ({ content: JSON.stringify(await resultOf(settings, ports, call)) }),
});

/** Settings of operations that write, except the value. */
function writeSettings(setting: SettingMode) {
  return {
    expected_version: setting
      .text(z.string().max(20))
      .nullish()
      .describe(
        'The expected version for `compare_and_set`, instead of `expected`. The empty text: the key has no value. Default: the value is compared.',
      ),
    ttl_seconds: setting
      .value(z.number().int().min(1).max(MAX_TTL_SECONDS))
      .nullish()
      .describe(
        'Seconds after which a written value is removed, 1-315360000. `increment` uses it only for a key without a value. Default: the value stays.',
      ),
  };
}

interface Settings {
  operation?: (typeof OPERATIONS)[number] | null | undefined;
  key?: string | null | undefined;
  value?: unknown;
  expected?: unknown;
  expected_version?: string | null | undefined;
  by?: number | null | undefined;
  ttl_seconds?: number | null | undefined;
  prefix?: string | null | undefined;
  after?: string | null | undefined;
  limit?: number | null | undefined;
}

async function resultOf(settings: Settings, { keyValues }: Ports, { idempotencyKey }: CallContext): Promise<unknown> {
  if (settings.operation === 'list') return listEntries(settings, keyValues);
  const key = settings.key ?? '';
  if (key === '') throw new PortError('invalid_key', 'key is required', { isFinal: true });
  const change = changeOf(settings, key);
  if (change) return keyValues.change(change, idempotencyKey);
  const entry = await keyValues.find(key);
  return { key, found: entry !== null, value: entry?.value ?? null, version: entry?.version ?? '' };
}

/** Undefined: the node only reads. */
function changeOf(settings: Settings, key: string): KeyValueChange | undefined {
  const { operation, by } = settings;
  const written = { key, value: settings.value ?? null, ttlSeconds: settings.ttl_seconds ?? null };
  switch (operation) {
    case 'set':
      return { operation, ...written };
    case 'compare_and_set':
      return { operation: 'set', ...written, condition: conditionOf(settings) };
    case 'increment':
      return { operation, key, by: by ?? 1, ttlSeconds: written.ttlSeconds };
    case 'delete':
      return { operation, key };
    default:
      return undefined;
  }
}

async function listEntries({ prefix, after, limit }: Settings, store: KeyValueStore) {
  const count = limit ?? DEFAULT_LISTED;
  return toList(await store.list({ prefix: prefix ?? '', after: after ?? '', limit: count + 1 }), count);
}

function conditionOf({ expected_version: version, expected }: Settings) {
  return version === undefined || version === null ? { value: expected ?? null } : { version };
}

function toList(found: readonly KeyValue[], count: number) {
  const entries: KeyValue[] = [];
  let length = 0;
  for (const entry of found.slice(0, count)) {
    length += JSON.stringify(entry).length;
    if (length > MAX_LIST_LENGTH) break;
    entries.push(entry);
  }
  return { entries, truncated: entries.length < found.length };
}
