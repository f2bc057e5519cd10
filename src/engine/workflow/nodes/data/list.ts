import { rightSideWarnings } from '../../../conditions/condition-schema.js';
import { isObject, parseJsonText } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { applyOperation } from './list-operations.js';
import { listForm, listSettings, MAX_ITEMS } from './list-settings.js';

export const list = nodeKind({
  type: 'list-node',
  nodeType: 'ListNode',
  title: 'List operations',
  description:
    'Filters, sorts, limits, groups, splits, deduplicates or joins a list. The operations apply in order. The content is the resulting list as a JSON array.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { items: '{{ previous.content }}', operations: [] },
  isInstant: true,
  form: listForm,
  settings: listSettings,
  warnings: ({ operations }) =>
    Array.isArray(operations) ? operations.flatMap((each, index) => filterWarnings(each, `operations.${index}`)) : [],
  execute: ({ settings: { items, operations } }) => {
    let result = toList(items, 'items');
    for (const [index, operation] of operations.entries()) {
      const other = operation.operation === 'join' ? toList(operation.with, `operations.${index}.with`) : [];
      result = applyOperation(result, operation, other);
      if (result.length > MAX_ITEMS) throw tooMany(`operations.${index}`);
    }
    return { content: JSON.stringify(result) };
  },
});

function filterWarnings(operation: unknown, path: string) {
  if (!isObject(operation) || operation.operation !== 'filter') return [];
  return rightSideWarnings({ operator: operation.operator, right: operation.value ?? null }, `${path}.value`);
}

function toList(source: unknown, path: string): unknown[] {
  const items = typeof source === 'string' ? parseJsonText(source) : source;
  if (!Array.isArray(items))
    throw new PortError('invalid_items', `${path} must resolve to a JSON array`, { isFinal: true });
  if (items.length > MAX_ITEMS) throw tooMany(path);
  return items;
}

function tooMany(path: string): PortError {
  return new PortError('too_many_items', `${path} has more than ${MAX_ITEMS} items`, { isFinal: true });
}
