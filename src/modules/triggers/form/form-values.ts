import { setOwn } from '../../../engine/json-value.js';
import type { InputField } from '../../../engine/workflow/graph/input-fields.js';
import type { FormMember } from '../webhook/multipart-body.js';

/** How a field is shown. `long`: several lines. `time`: date and time. `check`: one box. `one` and `many`: a choice of options. */
export type Control =
  | 'text'
  | 'long'
  | 'secret'
  | 'number'
  | 'date'
  | 'time'
  | 'email'
  | 'url'
  | 'check'
  | 'file'
  | 'one'
  | 'many';

const CONTROLS: Readonly<Record<string, Control>> = {
  ...{ textarea: 'long', multiline: 'long', long_text: 'long', json: 'long', object: 'long' },
  ...{ password: 'secret', secret: 'secret', email: 'email', 'e-mail': 'email', url: 'url', link: 'url', date: 'date' },
  ...{ datetime: 'time', 'date-time': 'time', number: 'number', float: 'number', range: 'number', slider: 'number' },
  ...{ integer: 'number', boolean: 'check', checkbox: 'check', switch: 'check', toggle: 'check', file: 'file' },
  ...{ select: 'one', radio: 'one', dropdown: 'one', multiselect: 'many', 'multi-select': 'many', checkboxes: 'many' },
};

/** The control for a field: by its type, of which unknown ones are shown as a line of text. */
export function controlOf({ type, is_secret }: InputField): Control {
  const name = type.toLowerCase();
  if (is_secret) return 'secret';
  return Object.hasOwn(CONTROLS, name) ? CONTROLS[name]! : 'text';
}

/**
 * Converts the members of a submitted form to the input of a run. Options are submitted as their positions, because their values may be
 * of any type. Empty fields are absent, so that their defaults apply; an unmarked box is false.
 */
export function valuesOf(fields: readonly InputField[], members: readonly FormMember[]): Record<string, unknown> {
  const byName = Map.groupBy(members, ({ name }) => name);
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const sent = (byName.get(field.id) ?? []).map(({ value }) => value).filter(value => !isBlank(value));
    const value = toValue(field, sent);
    if (value !== undefined) setOwn(values, field.id, value);
  }
  return values;
}

function toValue(field: InputField, sent: readonly FormMember['value'][]): unknown {
  const [first] = sent;
  const optionAt = (position: unknown) => field.options[Number(position)]?.value;
  switch (controlOf(field)) {
    case 'check':
      return first !== undefined;
    case 'many':
      return sent.map(optionAt).filter(value => value !== undefined);
    case 'one':
      return first === undefined ? undefined : optionAt(first);
    case 'number':
      return first === undefined || Number.isNaN(Number(first)) ? first : Number(first);
    default:
      return first;
  }
}

/** Browsers send a file without a name and content for an empty field. */
function isBlank(value: FormMember['value']): boolean {
  return typeof value === 'string' ? value === '' : value.bytes.length === 0;
}
