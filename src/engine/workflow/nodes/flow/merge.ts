import { z } from 'zod';
import { isObject, type JsonObject, setOwn, textOf } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const MODES = ['all', 'first', 'any', 'append', 'by_key', 'zip'] as const;
const MAX_COUNT = 100;

export const merge = nodeKind({
  type: 'merge-node',
  nodeType: 'MergeNode',
  title: 'Merge',
  description:
    'Joins branches. By default it waits for all previous nodes that are not skipped; the content is a JSON array of their contents, in the order of `nodes`.',
  category: 'logic',
  effects: 'none',
  outputs: oneOutput,
  defaults: { mode: 'all' },
  isInstant: true,
  arrivals: ({ mode, count }) => {
    if (mode === 'first') return 1;
    if (mode !== 'any') return undefined;
    return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : 1;
  },
  form: {
    icon: 'git-merge',
    color: '#ea580c',
    fields: {
      mode: { title: 'Mode', widget: 'select' },
      count: { title: 'Number of nodes', widget: 'number', showIf: { path: 'mode', equals: ['any'] } },
      key: { title: 'Key', widget: 'text', showIf: { path: 'mode', equals: ['by_key'] } },
    },
    content: { sample: '["first", "second"]' },
  },
  settings: () =>
    z.looseObject({
      mode: z
        .enum(MODES)
        .nullish()
        .describe(
          '`all` (default): an array of all contents. `first`: the content of the node that finishes first. `any`: an array of the first `count` contents, in the order in which they arrive. `append`: the lists in the contents as one list. `by_key`: the objects in the lists, joined where their member `key` is equal. `zip`: an array of the first items of the lists, then of the second, and so on; null where a list is shorter.',
        ),
      count: z
        .number()
        .int()
        .min(1)
        .max(MAX_COUNT)
        .nullish()
        .describe(
          'Number of previous nodes that `any` waits for, 1-100. If fewer arrive, the node fails with `too_few_inputs`. Without placeholders, because it is needed before the node starts. Default 1.',
        ),
      key: z
        .string()
        .min(1)
        .max(200)
        .nullish()
        .describe('Name of the member by which `by_key` joins objects, 1-200 characters. Required for `by_key`.'),
    }),
  check: ({ mode, key }) =>
    mode === 'by_key' && !key ? [{ code: 'invalid_setting', path: 'key', message: 'required if mode is by_key' }] : [],
  execute: ({ settings: { mode, count, key }, scope }) => {
    const inputs = scope.inputs();
    if (mode === 'first') return { content: inputs[0]?.text ?? '' };
    if (mode === 'any' && inputs.length < (count ?? 1))
      throw new PortError('too_few_inputs', `only ${inputs.length} of ${count ?? 1} previous nodes have a content`);
    // `json` is undefined for a content that is not JSON.
    const values = inputs.map(({ json, text }) => (json === undefined ? text : json));
    return { content: JSON.stringify(combine(mode ?? 'all', values, key ?? '')) };
  },
});

function combine(mode: (typeof MODES)[number], values: readonly unknown[], key: string): unknown {
  const lists = values.map(value => (Array.isArray(value) ? (value as unknown[]) : [value]));
  switch (mode) {
    case 'append':
      return lists.flat(1);
    case 'by_key':
      return joinByKey(lists.flat(1), key);
    case 'zip':
      return Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, index) =>
        lists.map(list => list[index] ?? null),
      );
    default:
      return values;
  }
}

/** Joins objects with equal keys, in the order of their first occurrence. Later members win. */
function joinByKey(items: readonly unknown[], key: string): unknown[] {
  const joined = new Map<string, JsonObject>();
  for (const item of items) {
    if (!isObject(item) || !Object.hasOwn(item, key))
      throw new PortError(
        'invalid_items',
        `by_key joins lists of objects, and each must have the member ${JSON.stringify(key)}`,
      );
    const id = textOf(item[key]);
    const target = joined.get(id) ?? {};
    for (const [name, value] of Object.entries(item)) setOwn(target, name, value);
    joined.set(id, target);
  }
  return [...joined.values()];
}
