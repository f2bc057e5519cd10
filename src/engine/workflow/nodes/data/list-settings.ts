import { z } from 'zod';
import { comparisonMembers } from '../../../conditions/condition-schema.js';
import type { FieldCondition, NodeForm } from '../../graph/node-form.js';

/** Maximum number of items, also between two operations. */
export const MAX_ITEMS = 10_000;
const MAX_OPERATIONS = 20;

const field = z
  .string()
  .max(500)
  .nullish()
  .describe(
    'Dotted path of a member of the items, such as `address.city`, at most 500 characters. Absent or empty: the item itself.',
  );

const operation = z.looseObject({
  operation: z
    .enum(['filter', 'sort', 'limit', 'aggregate', 'split', 'dedupe', 'join'])
    .describe(
      '`filter` keeps the items whose field compares to `value`. `sort` orders by the field; equal items keep their order. `limit` keeps `count` items after `offset`. `aggregate` computes `function` of the field, for each value of `group_by`. `split` makes an item of each element of the list, or of each part of the text, in the field. `dedupe` keeps the first item with each value of the field. `join` adds the members of the item of `with` whose member `key` has the same value.',
    ),
  field,
  operator: comparisonMembers.operator.describe(
    `Comparison of \`filter\`. Default \`==\`. ${comparisonMembers.operator.description ?? ''}`,
  ),
  value: z
    .unknown()
    .optional()
    .describe('Value to which `filter` compares: a text with placeholders, or any value. Default: null.'),
  ignore_case: comparisonMembers.ignore_case,
  order: z.enum(['asc', 'desc']).nullish().describe('Order of `sort`: `asc` (default) or `desc`.'),
  count: z
    .number()
    .int()
    .min(0)
    .max(MAX_ITEMS)
    .nullish()
    .describe(`Number of items that \`limit\` keeps, 0-${MAX_ITEMS}. Default: all.`),
  offset: z
    .number()
    .int()
    .min(0)
    .max(MAX_ITEMS)
    .nullish()
    .describe(`Number of items that \`limit\` skips first, 0-${MAX_ITEMS}. Default 0.`),
  function: z
    .enum(['count', 'sum', 'average', 'min', 'max', 'collect'])
    .nullish()
    .describe('Function of `aggregate`. Default `count`. `sum` and `average` ignore values that are not numbers.'),
  group_by: z
    .string()
    .max(500)
    .nullish()
    .describe(
      'Dotted path of the member by which `aggregate` groups. Each result is `{key, value}`. Absent: one group whose key is null.',
    ),
  separator: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .describe('Separator at which `split` divides a text, 1-100 characters. Default: a line break.'),
  with: z
    .unknown()
    .optional()
    .describe('The other list of `join`: a list, or a text with placeholders that resolves to a JSON array.'),
  key: z
    .string()
    .min(1)
    .max(500)
    .nullish()
    .describe('Dotted path of the member that `join` compares in both lists, 1-500 characters.'),
  keep_unmatched: z.boolean().nullish().describe('Whether `join` keeps items without a match in `with`. Default true.'),
});
export type ListOperation = z.infer<typeof operation>;

/** Settings of the list node. */
export const listSettings = () =>
  z.looseObject({
    items: z
      .union([z.array(z.unknown()), z.string().min(1)])
      .describe(
        `A list, or a text with placeholders that resolves to a JSON array. At most ${MAX_ITEMS} items, also between two operations.`,
      ),
    operations: z.array(operation).max(MAX_OPERATIONS).describe(`The operations, in order, at most ${MAX_OPERATIONS}.`),
  });

const shownFor = (...names: string[]): FieldCondition => ({ path: 'operations.*.operation', equals: names });

/** Form of the list node. */
export const listForm: NodeForm = {
  icon: 'list-details',
  color: '#0891b2',
  fields: {
    items: { title: 'Items', widget: 'textarea' },
    operations: { title: 'Operations', widget: 'list' },
    'operations.*.operation': { title: 'Operation', widget: 'select' },
    'operations.*.field': {
      title: 'Field',
      widget: 'text',
      showIf: shownFor('filter', 'sort', 'aggregate', 'split', 'dedupe'),
    },
    'operations.*.operator': { title: 'Operator', widget: 'select', showIf: shownFor('filter') },
    'operations.*.value': { title: 'Value', widget: 'text', showIf: shownFor('filter') },
    'operations.*.ignore_case': { title: 'Ignore case', widget: 'switch', showIf: shownFor('filter') },
    'operations.*.order': { title: 'Order', widget: 'select', showIf: shownFor('sort') },
    'operations.*.count': { title: 'Number of items', widget: 'number', showIf: shownFor('limit') },
    'operations.*.offset': { title: 'Skipped items', widget: 'number', showIf: shownFor('limit') },
    'operations.*.function': { title: 'Function', widget: 'select', showIf: shownFor('aggregate') },
    'operations.*.group_by': { title: 'Group by', widget: 'text', showIf: shownFor('aggregate') },
    'operations.*.separator': { title: 'Separator', widget: 'text', showIf: shownFor('split') },
    'operations.*.with': { title: 'Other list', widget: 'textarea', showIf: shownFor('join') },
    'operations.*.key': { title: 'Key', widget: 'text', showIf: shownFor('join') },
    'operations.*.keep_unmatched': { title: 'Keep items without a match', widget: 'switch', showIf: shownFor('join') },
  },
  content: { sample: '[{"name": "Ada", "total": 12}]', schema: { type: 'array' } },
};
