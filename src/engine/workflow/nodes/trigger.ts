import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

const inputField = z.looseObject({
  id: z.string().min(1).describe('Key of the field in the input; placeholders name it as `{{ input.<id> }}`.'),
  title: z.string().nullish().describe('Label of the field.'),
  type: z
    .string()
    .nullish()
    .describe(
      'Kind of value: `text` (default), `number`, `boolean`, `select`, `json`; an unknown one accepts anything.',
    ),
  input_requirements: z.boolean().nullish().describe('Whether a run must give a value. Default false.'),
  placeholder: z.string().nullish().describe('Text that an empty form field shows.'),
  tooltip: z.string().nullish().describe('Explanation shown beside the field.'),
  default_value: z
    .unknown()
    .optional()
    .describe('Value of a run that gives none. Returned as `********` for a secret.'),
  is_secret: z
    .boolean()
    .nullish()
    .describe('The field holds a credential: its value is never returned. Default false.'),
  allowed_hosts: z
    .array(z.string())
    .nullish()
    .describe(
      'Of a secret field: the only hosts that it may be sent to, such as `api.example.com` or `*.example.com`. Default any.',
    ),
  options: z
    .array(
      z.looseObject({
        title: z.string().nullish().describe('Label of the option.'),
        value: z.unknown().describe('Value that a run gives to choose the option.'),
        is_default: z.boolean().nullish().describe('Chosen when the run gives no value. Default false.'),
      }),
    )
    .nullish()
    .describe('The choices of a `select` field.'),
});

export const trigger = nodeKind({
  type: 'trigger-node',
  nodeType: 'TriggerNode',
  title: 'Trigger',
  description: 'Where a run starts. Declares the input fields; its content is the input as JSON text.',
  category: 'start',
  effects: 'none',
  outputs: oneOutput,
  defaults: { input_fields: [] },
  isVerbatim: true,
  isInstant: true,
  settings: () =>
    z.looseObject({
      input_fields: z.array(inputField).nullish().describe('The fields that a run is given. Default none.'),
    }),
  execute: ({ scope }) => ({ content: JSON.stringify(scope.input) }),
});
