import { z } from 'zod';
import { numberOf } from '../../../conditions/compare.js';
import { isUnset, type JsonObject, setOwn, textOf } from '../../../json-value.js';
import { type FieldForms, fieldsUnder } from '../../graph/node-form.js';
import type { SettingMode } from '../../graph/settings.js';

const TYPES = ['text', 'number', 'boolean', 'select'] as const;

/** A field of the form. `setting` selects the schema of saved values, with placeholders, or of the values in a run. */
const answerField = (setting: SettingMode) =>
  z
    .looseObject({
      name: z
        .string()
        .regex(
          /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
          'must be 1-64 letters, digits and underscores, not beginning with a digit',
        )
        .describe('Key of the value: 1-64 letters, digits and underscores, not beginning with a digit.'),
      title: setting.text(z.string().max(200)).nullish().describe('Label of the field. Default: the name.'),
      type: z.enum(TYPES).nullish().describe('Type of the value: `text` (default), `number`, `boolean` or `select`.'),
      is_required: z.boolean().nullish().describe('True: an approval must have a value. Default false.'),
      options: z
        .array(z.string().min(1).max(200))
        .max(100)
        .nullish()
        .describe('The choices of a `select` field, 1-100 different texts.'),
      default_value: z
        .unknown()
        .optional()
        .describe('Value shown at first. It may contain placeholders. Default: none.'),
    })
    .superRefine(({ type, options }, context) => {
      if (type !== 'select') return;
      const isDistinct = options && options.length > 0 && new Set(options).size === options.length;
      if (!isDistinct) context.addIssue({ code: 'custom', path: ['options'], message: 'must be different texts' });
    });

/** Setting for the fields of a form that people fill in with their decision. */
export const answerForm = (setting: SettingMode) =>
  z
    .array(answerField(setting))
    .max(50)
    .superRefine((fields, context) => {
      const names = fields.map(({ name }) => name);
      const duplicate = names.findIndex((name, index) => names.indexOf(name) < index);
      if (duplicate !== -1)
        context.addIssue({ code: 'custom', path: [duplicate, 'name'], message: 'must differ from other names' });
    })
    .nullish()
    .describe('Fields that people fill in with an approval, at most 50. Default: none.');

type AnswerField = z.infer<ReturnType<typeof answerField>>;

/** Form of the setting `fields`. */
export const formFields: FieldForms = {
  fields: { title: 'Form', widget: 'list' },
  ...fieldsUnder('fields.*', {
    name: { title: 'Key', widget: 'text' },
    title: { title: 'Label', widget: 'text' },
    type: { title: 'Type', widget: 'select' },
    is_required: { title: 'Required', widget: 'switch' },
    options: { title: 'Choices', widget: 'strings', showIf: { path: 'type', equals: ['select'] } },
    default_value: { title: 'Default', widget: 'text' },
  }),
};

/** Returns the values that the form shows at first. A default that does not fit its field is left out. */
export function formValues(fields: readonly AnswerField[]): JsonObject {
  const values: JsonObject = {};
  for (const field of fields) {
    const value = defaultOf(field);
    if (value !== undefined) setOwn(values, field.name, value);
  }
  return values;
}

function defaultOf({ type, options, default_value: value }: AnswerField): unknown {
  if (isUnset(value)) return undefined;
  if (type === 'number') {
    const number = numberOf(value);
    return Number.isFinite(number) ? number : undefined;
  }
  const text = textOf(value);
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  return type !== 'select' || options?.includes(text) ? text : undefined;
}

/** Returns the JSON Schema of the values of a form. */
export function formSchema(fields: readonly AnswerField[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, schemaOf(field)])),
    required: fields.filter(field => field.is_required).map(field => field.name),
    additionalProperties: false,
  };
}

function schemaOf({ type, title, options, is_required: isRequired }: AnswerField): JsonObject {
  const named = title ? { title } : {};
  switch (type ?? 'text') {
    case 'number':
    case 'boolean':
      return { type, ...named };
    case 'select':
      return { type: 'string', enum: options, ...named };
    default:
      return { type: 'string', ...(isRequired ? { minLength: 1 } : {}), ...named };
  }
}
