import { z } from 'zod';
import type { JsonObject } from '../../../json-value.js';
import { MAX_INTEGER } from '../../../max-integer.js';
import { unknownFieldTypes } from '../../graph/input-fields.js';
import { fieldsUnder } from '../../graph/node-form.js';
import { type NodeKind, nodeKind, oneOutput } from '../../graph/node-kind.js';

/** The types that the engine checks. Others accept any value, so they are examples and not an enum. */
const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'select',
  'multiselect',
  'email',
  'url',
  'date',
  'datetime',
  'file',
  'json',
];

const inputField = z.looseObject({
  id: z.string().min(1).describe('Key of the field in the input. Placeholders refer to it as `{{ input.<id> }}`.'),
  title: z.string().nullish().describe('Label of the field.'),
  type: z
    .string()
    .meta({ examples: FIELD_TYPES })
    .nullish()
    .describe(
      'Type of the value: `text` (default), `number`, `boolean`, `select`, `multiselect`, `email`, `url`, `date`, `datetime`, `file` or `json`. Unknown types accept any value.',
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
    .describe('The choices of a `select` or `multiselect` field.'),
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
  warnings: ({ input_fields: fields }) => unknownFieldTypes(fields),
  isInstant: true,
  form: {
    icon: 'player-play',
    color: '#16a34a',
    fields: {
      input_fields: { title: 'Input fields', widget: 'list' },
      ...fieldsUnder('input_fields.*', {
        id: { title: 'Key', widget: 'text' },
        title: { title: 'Label', widget: 'text' },
        type: { title: 'Type', widget: 'select' },
        input_requirements: { title: 'Required', widget: 'switch' },
        options: { title: 'Options', widget: 'list', showIf: { path: 'type', equals: ['select', 'multiselect'] } },
        'options.*.title': { title: 'Label', widget: 'text' },
        'options.*.value': { title: 'Value', widget: 'text' },
        'options.*.is_default': { title: 'Selected at first', widget: 'switch' },
        default_value: { title: 'Default', widget: 'text' },
        placeholder: { title: 'Placeholder text', widget: 'text', group: 'advanced' },
        tooltip: { title: 'Help text', widget: 'text', group: 'advanced' },
        is_secret: { title: 'Secret', widget: 'switch', group: 'advanced' },
        allowed_hosts: {
          title: 'Hosts that may receive it',
          widget: 'strings',
          group: 'advanced',
          showIf: { path: 'is_secret', equals: [true] },
        },
      }),
      error_workflow_id: {
        title: 'Workflow after a failed run',
        widget: 'workflow',
        optionsFrom: 'workflows',
        group: 'errors',
      },
    },
    content: { sample: '{"topic": "tea"}', schema: { type: 'object' } },
  },
  settings: () =>
    z.looseObject({
      input_fields: z.array(inputField).nullish().describe('Input fields of a run. Default: none.'),
      error_workflow_id: z
        .number()
        .int()
        .min(1)
        .max(MAX_INTEGER)
        .nullish()
        .describe(
          'Id of another workflow of the project, which is started once after a run of this one has failed. Used only in the start node of a workflow. Default: none.',
        ),
    }),
  references: ({ error_workflow_id: value }) =>
    value === undefined || value === null ? [] : [{ kind: 'workflow', path: 'error_workflow_id', value }],
  check: ({ error_workflow_id: id }, { workflowId }) =>
    id === undefined || id === null || id !== workflowId
      ? []
      : [{ code: 'invalid_setting', path: 'error_workflow_id', message: 'must be another workflow' }],
  execute: ({ scope }) => ({ content: JSON.stringify(scope.input) }),
});

/** Returns the workflow that is started after a failed run of the graph; null: none. */
export function errorWorkflowIdOf({ start }: { start: { kind: NodeKind; data: JsonObject } }): number | null {
  const id = start.kind === trigger ? start.data.error_workflow_id : undefined;
  return typeof id === 'number' && Number.isInteger(id) ? id : null;
}
