import { z } from 'zod';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

const MAX_VARIABLES = 100;

export const set = nodeKind({
  type: 'set-node',
  nodeType: 'SetNode',
  title: 'Set variables',
  description:
    'Sets variables of the run, which the following nodes read as `vars.<name>`. The content is a JSON object of the values.',
  category: 'data',
  effects: 'none',
  outputs: oneOutput,
  defaults: { values: {} },
  isInstant: true,
  setsVariables: true,
  form: {
    icon: 'variable',
    color: '#0891b2',
    fields: { values: { title: 'Variables', widget: 'key_value' } },
    content: { sample: '{"total": 42}', schema: { type: 'object' } },
  },
  settings: setting =>
    z.looseObject({
      values: setting
        .value(
          z
            .record(
              z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be a name of letters, digits and _'),
              z.unknown(),
            )
            .refine(values => Object.keys(values).length <= MAX_VARIABLES, `must have at most ${MAX_VARIABLES} names`),
        )
        .describe(
          'Values by name, an object with at most 100 names of letters, digits and `_`. Texts may contain placeholders; a single placeholder keeps the type of its value.',
        ),
    }),
  execute: ({ settings: { values } }) => ({ content: JSON.stringify(values) }),
});
