import type { JsonObject } from '../../json-value.js';

/** Input elements for a setting. `hidden`: the graph editor sets the value, or it is kept for other front ends. */
export const WIDGETS = [
  'text',
  'textarea',
  'code',
  'url',
  'number',
  'switch',
  'select',
  'json',
  'key_value',
  'list',
  'strings',
  'model',
  'provider',
  'workflow',
  'scenario',
  'documents',
  'graph',
  'hidden',
  'condition',
  'connection',
] as const;
export type Widget = (typeof WIDGETS)[number];

/** Sections of a form, in their order. */
export const FIELD_GROUPS = [
  'settings',
  'model',
  'memory',
  'request',
  'approval',
  'advanced',
  'errors',
  'general',
] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

/** Objects of the service from which a value is selected. */
export const OPTION_SOURCES = [
  'models',
  'providers',
  'workflows',
  'scenarios',
  'documents',
  'mcp_tools',
  'members',
  'connections',
  'agents',
] as const;
export type OptionSource = (typeof OPTION_SOURCES)[number];

/** The field is shown only if the value at `path` is one of `equals`. The empty text also stands for an absent value. */
export interface FieldCondition {
  path: string;
  equals: readonly unknown[];
}

/** How a form shows one setting. Its type, limits and description are in the JSON Schema. */
export interface FieldForm {
  title: string;
  widget: Widget;
  /** Absent: `settings`. */
  group?: FieldGroup;
  /** True if the value can contain a credential. */
  isSecret?: true;
  optionsFrom?: OptionSource;
  showIf?: FieldCondition;
}

/** Fields in display order, by dotted path inside `data`. `*` stands for every item of a list. */
export type FieldForms = Readonly<Record<string, FieldForm>>;

/** The data with which an editor draws a node kind and its form. */
export interface NodeForm {
  /** Name of an icon of Tabler Icons. */
  icon: string;
  /** Six hexadecimal digits after `#`. */
  color: string;
  fields: FieldForms;
  /** Example of the content, and its JSON Schema if the content is JSON. */
  content: { sample: string; schema?: JsonObject };
}

/** Returns the fields with `prefix` in front of their paths and of the paths of their conditions. */
export function fieldsUnder(prefix: string, fields: FieldForms, showIf?: FieldCondition): FieldForms {
  return Object.fromEntries(
    Object.entries(fields).map(([path, field]) => {
      const own = field.showIf && { ...field.showIf, path: `${prefix}.${field.showIf.path}` };
      const condition = own ?? showIf;
      return [`${prefix}.${path}`, { ...field, ...(condition ? { showIf: condition } : {}) }];
    }),
  );
}

const errors = { group: 'errors' } as const;
const hidden = { widget: 'hidden', group: 'general' } as const;
const isRetried: FieldCondition = { path: 'on_error', equals: ['retry', 'branch', 'default'] };
const hasDefault: FieldCondition = { path: 'on_error', equals: ['default'] };

/** Fields of the members that every node kind has. */
export const commonFields: FieldForms = {
  on_error: { title: 'If the node fails', widget: 'select', ...errors },
  default_value: { title: 'Content after a failure', widget: 'json', ...errors, showIf: hasDefault },
  'retry.attempts': { title: 'Attempts', widget: 'number', ...errors, showIf: isRetried },
  'retry.delay_seconds': { title: 'Seconds between attempts', widget: 'number', ...errors, showIf: isRetried },
  'retry.backoff': { title: 'Growth of the delay', widget: 'select', ...errors, showIf: isRetried },
  'retry.max_delay_seconds': {
    title: 'Maximum seconds between attempts',
    widget: 'number',
    ...errors,
    showIf: isRetried,
  },
  'retry.jitter': { title: 'Vary the delay', widget: 'switch', ...errors, showIf: isRetried },
  'retry.error_codes': { title: 'Only for these error codes', widget: 'strings', ...errors, showIf: isRetried },
  timeout_seconds: { title: 'Time limit in seconds', widget: 'number', ...errors },
  label: { title: 'Label', widget: 'text', group: 'general' },
  name: { title: 'Name', ...hidden },
  id: { title: 'Id', ...hidden },
  version: { title: 'Version', ...hidden },
  next_nodes: { title: 'Next nodes', ...hidden },
  error_nodes: { title: 'Next nodes after a failure', ...hidden },
};
