import { z } from 'zod';
import { textOf } from '../../../json-value.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

export const output = nodeKind({
  type: 'output-node',
  nodeType: 'OutputNode',
  title: 'Output',
  description: 'Sets the result of the run. The content is the value, or the content of the previous node.',
  category: 'end',
  effects: 'none',
  outputs: oneOutput,
  defaults: {},
  isOutput: true,
  isInstant: true,
  form: {
    icon: 'flag',
    color: '#16a34a',
    fields: { value: { title: 'Value', widget: 'textarea' } },
    content: { sample: 'Refunds are paid within 14 days.' },
  },
  settings: () =>
    z.looseObject({
      value: z
        .unknown()
        .optional()
        .describe(
          'A text with placeholders, or any value, which is converted to JSON. Absent or null: the content of the previous node. With several previous nodes: a JSON array of their contents, in the order of `nodes`.',
        ),
    }),
  execute: ({ settings: { value }, scope }) => ({
    content: value === undefined || value === null ? (scope.previous()?.text ?? '') : textOf(value),
  }),
});
