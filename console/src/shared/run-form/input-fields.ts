import { isObject, type JsonObject, listOf, parseJson, textOf } from '@/shared/json/json-value';

/** How a form asks for an input. */
export type InputElement =
  | 'text'
  | 'textarea'
  | 'number'
  | 'switch'
  | 'select'
  | 'multiselect'
  | 'email'
  | 'url'
  | 'date'
  | 'datetime'
  | 'file'
  | 'json'
  | 'secret';

/** A field of a form that asks for the input of a run, read from the settings of a trigger. */
export interface InputField {
  key: string;
  title: string;
  element: InputElement;
  isInteger: boolean;
  isRequired: boolean;
  isSecret: boolean;
  /** Whether an earlier run has stored a value of the secret, which an empty element keeps. */
  isKept?: boolean;
  placeholder: string;
  tooltip: string;
  defaultValue: unknown;
  options: { title: string; value: string; isDefault: boolean }[];
}

/** The form element of each type of input, including the aliases in docs/nodes.md. Other types are texts. */
const ELEMENTS: Record<string, InputElement> = {
  textarea: 'textarea',
  multiline: 'textarea',
  long_text: 'textarea',
  password: 'secret',
  secret: 'secret',
  number: 'number',
  float: 'number',
  range: 'number',
  slider: 'number',
  integer: 'number',
  boolean: 'switch',
  checkbox: 'switch',
  switch: 'switch',
  toggle: 'switch',
  select: 'select',
  radio: 'select',
  dropdown: 'select',
  multiselect: 'multiselect',
  'multi-select': 'multiselect',
  checkboxes: 'multiselect',
  email: 'email',
  'e-mail': 'email',
  url: 'url',
  link: 'url',
  date: 'date',
  datetime: 'datetime',
  'date-time': 'datetime',
  file: 'file',
  json: 'json',
  object: 'json',
};

/** The input fields of the trigger where the run starts. `graph` is `data` of a workflow or a run. */
export function inputFieldsOf(graph: unknown): InputField[] {
  const { nodes, start_node: startId } = isObject(graph) ? graph : ({} as JsonObject);
  const triggers = listOf(nodes)
    .filter(isObject)
    .filter(({ type }) => type === 'trigger-node');
  const start = triggers.find(({ id }) => id === startId) ?? triggers[0];
  return listOf(isObject(start?.data) ? start.data.input_fields : []).flatMap(field => {
    if (!isObject(field) || typeof field.id !== 'string' || field.id === '') return [];
    const type = textOf(field.type).toLowerCase();
    const isSecret = field.is_secret === true;
    return [
      {
        key: field.id,
        title: textOf(field.title) || field.id,
        element: isSecret ? 'secret' : Object.hasOwn(ELEMENTS, type) ? ELEMENTS[type]! : 'text',
        isInteger: type === 'integer',
        isRequired: field.input_requirements === true,
        isSecret,
        placeholder: textOf(field.placeholder),
        tooltip: textOf(field.tooltip),
        defaultValue: field.default_value,
        options: listOf(field.options)
          .filter(isObject)
          .map(({ title, value, is_default }) => ({
            title: textOf(title) || textOf(value),
            value: textOf(value),
            isDefault: is_default === true,
          })),
      },
    ];
  });
}

/** The values of the form elements by the keys of their fields: texts, lists of chosen values, and switches. */
export type FormValues = Record<string, string | string[] | boolean>;

/** The values that a form starts with: remembered ones, else the defaults of the fields. */
export function initialValues(fields: readonly InputField[], remembered: FormValues): FormValues {
  const valueFor = (field: InputField) =>
    Object.hasOwn(remembered, field.key) ? remembered[field.key]! : initialValue(field);
  return Object.fromEntries(fields.map(field => [field.key, valueFor(field)]));
}

function initialValue(field: InputField): FormValues[string] {
  const { element, defaultValue, options } = field;
  // The service fills in a secret default.
  if (element === 'secret') return '';
  if (element === 'switch') return toFormValue(field, defaultValue);
  const chosen = options.filter(({ isDefault }) => isDefault).map(({ value }) => value);
  if (element === 'multiselect')
    return Array.isArray(parsedList(defaultValue)) ? toFormValue(field, defaultValue) : chosen;
  return textOf(defaultValue) || (chosen[0] ?? '');
}

const parsedList = (value: unknown) => (typeof value === 'string' ? parseJson(value) : value);

/** A value of an input as its form element shows it. */
function toFormValue({ element }: InputField, value: unknown): FormValues[string] {
  if (element === 'switch') return value === true || value === 'true';
  // The input of a run has the reference of a file, the form its id.
  if (element === 'file' && isObject(value)) return textOf(value.file_id);
  if (element === 'multiselect') return listOf(parsedList(value)).map(textOf);
  const isText = typeof value === 'string' && (element !== 'json' || value === '' || parseJson(value) !== undefined);
  if (isText || value === undefined || value === null) return textOf(value);
  return element === 'json' ? JSON.stringify(value, null, 2) : textOf(value);
}

/** The text that stands for a secret of a run. Sent back, it keeps the stored value. */
const MASK = '********';

/** The form of an earlier run: its fields, and its values in their elements. An empty secret keeps its stored value. */
export function formOfRun(graph: unknown, inputData: unknown): { fields: InputField[]; values: FormValues } {
  const input = isObject(inputData) ? inputData : {};
  const fields = inputFieldsOf(graph).map(field =>
    field.isSecret && textOf(input[field.key]) !== '' ? { ...field, defaultValue: MASK, isKept: true } : field,
  );
  const entries = fields.map(field => {
    const isAbsent = !Object.hasOwn(input, field.key) || field.element === 'secret';
    return [field.key, isAbsent ? emptyValue(field) : toFormValue(field, input[field.key])] as const;
  });
  return { fields, values: Object.fromEntries(entries) };
}

function emptyValue({ element }: InputField): FormValues[string] {
  if (element === 'multiselect') return [];
  return element === 'switch' ? false : '';
}

/** The input of a new run with the edited values. Members of the earlier input without a field are preserved. */
export function editedInputOf(fields: readonly InputField[], values: FormValues, inputData: unknown): JsonObject {
  const others = Object.entries(isObject(inputData) ? inputData : {}).filter(
    ([key]) => !fields.some(field => field.key === key),
  );
  const kept = fields.filter(({ isKept }) => isKept).map(({ key }) => [key, MASK] as const);
  return { ...Object.fromEntries([...others, ...kept]), ...inputOf(fields, values) };
}

export const hasSecretDefault = ({ isSecret, defaultValue }: InputField): boolean =>
  isSecret && textOf(defaultValue) !== '';

/** Whether the service has a value for an empty field. */
function hasDefault({ defaultValue, options }: InputField): boolean {
  return textOf(defaultValue) !== '' || options.some(({ isDefault }) => isDefault);
}

function isEmptyValue(value: FormValues[string] | undefined): value is undefined | '' | [] {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Messages by key. Empty: the form can be sent. The service checks the rest. */
export function formFaults(fields: readonly InputField[], values: FormValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const field of fields) {
    const value = values[field.key];
    const isEmpty = isEmptyValue(value);
    if (field.isRequired && isEmpty && !hasDefault(field)) faults[field.key] = 'Enter a value.';
    else if (field.element === 'json' && !isEmpty && parseJson(String(value)) === undefined)
      faults[field.key] = 'This is not valid JSON.';
  }
  return faults;
}

/** The input of a run. Empty values are omitted, so that defaults apply. */
export function inputOf(fields: readonly InputField[], values: FormValues): Record<string, unknown> {
  const entries = fields.flatMap(field => {
    const value = values[field.key];
    return isEmptyValue(value) ? [] : [[field.key, convertValue(field, value)] as const];
  });
  return Object.fromEntries(entries);
}

function convertValue({ element }: InputField, value: string | string[] | boolean): unknown {
  if (typeof value !== 'string') return value;
  // The service rejects a text that is not a number, with the name of the field.
  if (element === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  if (element === 'json') return parseJson(value) ?? value;
  // CSV files and defaults may separate the day and the time by a space; the service takes ISO 8601.
  if (element === 'datetime' && /^\d{4}-\d\d-\d\d \d/.test(value)) return value.replace(' ', 'T');
  // The id of a document. A URL stays a text.
  if (element === 'file' && /^\d+$/.test(value)) return Number(value);
  return value;
}
