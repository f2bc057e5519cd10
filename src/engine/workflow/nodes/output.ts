import { z } from 'zod';
import { textOf } from '../../json-value.js';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

export const output = nodeKind({
  type: 'output-node',
  nodeType: 'OutputNode',
  title: 'Output',
  description: 'Gives the result of the run. Its content is the value, or the content of the node before it.',
  category: 'end',
  effects: 'none',
  outputs: oneOutput,
  defaults: {},
  isOutput: true,
  isInstant: true,
  settings: () =>
    z.looseObject({
      value: z
        .unknown()
        .optional()
        .describe(
          'A text with placeholders, or any value (given as JSON text). Absent or null: the content of the node before; after several a JSON array of theirs, in the order of `nodes`.',
        ),
    }),
  execute: ({ settings: { value }, scope }) => ({
    content: value === undefined || value === null ? (scope.previous()?.text ?? '') : textOf(value),
  }),
});
