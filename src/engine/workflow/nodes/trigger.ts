import { z } from 'zod';
import { nodeKind, oneOutput } from '../graph/node-kind.js';

const inputField = z.looseObject({
  id: z.string().min(1).describe('Key of the field in the input. Placeholders refer to it as `{{ input.<id> }}`.'),
  title: z.string().nullish().describe('Label of the field.'),
  type: z
    .string()
    .nullish()
    .describe(
      'Type of the value: `text` (default), `number`, `boolean`, `select` or `json`. Unknown types accept any value.',
    ),
  input_requirements: z.boolean().nullish().describe('True: a run must have a value for this field. Default false.'),
  placeholder: z.string().nullish().describe('Placeholder text of an empty form field.'),
  tooltip: z.string().nullish().describe('Help text of the form field.'),
  default_value: z
    .unknown()
    .optional()
    .describe('Value of the field if the input contains none. Returned as `********` for a secret.'),
  is_secret: z
    .boolean()
    .nullish()
    .describe('True: the field contains a credential, and its value is never returned. Default false.'),
  allowed_hosts: z
    .array(z.string())
    .nullish()
    .describe(
      'Hosts to which the value of a secret field may be sent, such as `api.example.com` or `*.example.com`. Default: any host.',
    ),
  options: z
    .array(
      z.looseObject({
        title: z.string().nullish().describe('Label of the option.'),
        value: z.unknown().describe('Input value that selects the option.'),
        is_default: z.boolean().nullish().describe('True: selected if the input contains no value. Default false.'),
      }),
    )
    .nullish()
    .describe('The choices of a `select` field.'),
});

export const trigger = nodeKind({
  type: 'trigger-node',
  nodeType: 'TriggerNode',
  title: 'Trigger',
  description: 'Starts a run and declares its input fields. The content is the input as JSON text.',
  category: 'start',
  effects: 'none',
  outputs: oneOutput,
  defaults: { input_fields: [] },
  isVerbatim: true,
  isInstant: true,
  settings: () =>
    z.looseObject({
      input_fields: z.array(inputField).nullish().describe('Input fields of a run. Default: none.'),
    }),
  execute: ({ scope }) => ({ content: JSON.stringify(scope.input) }),
});
