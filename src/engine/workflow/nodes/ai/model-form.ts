import { z } from 'zod';
import { MODEL_PARAMETER_NAMES, MODEL_PARAMETERS } from '../../../model-parameters.js';
import type { FieldForm, FieldForms, Widget } from '../../graph/node-form.js';

/** Parameters with only one valid value. */
const FIXED: readonly string[] = ['n', 'stream', 'modalities'];

export const modelNameField: FieldForms = {
  'settings.model_name': { title: 'Model', widget: 'model', group: 'model', optionsFrom: 'models' },
};

export const providerField: FieldForms = {
  provider: { title: 'Provider', widget: 'provider', group: 'advanced', optionsFrom: 'providers' },
};
export const cacheField: FieldForms = {
  cache_seconds: { title: 'Reuse equal answers for (seconds)', widget: 'number', group: 'advanced' },
};
export const fallbackField: FieldForms = {
  fallback_models: { title: 'Fallback models', widget: 'strings', group: 'advanced', optionsFrom: 'models' },
};

const modelParameters: FieldForms = {
  'settings.temperature': { title: 'Temperature', widget: 'number', group: 'model' },
  'settings.max_tokens': { title: 'Maximum tokens of the answer', widget: 'number', group: 'model' },
  ...providerField,
  ...cacheField,
  ...fallbackField,
  ...Object.fromEntries(
    MODEL_PARAMETER_NAMES.filter(name => name !== 'temperature' && name !== 'max_tokens').map(name => [
      `settings.${name}`,
      {
        title: titleOf(name),
        widget: FIXED.includes(name) ? 'hidden' : widgetOf(MODEL_PARAMETERS[name].schema),
        group: 'advanced',
      } satisfies FieldForm,
    ]),
  ),
  'settings.provider_options': { title: 'Provider options', widget: 'json', group: 'advanced' },
};

/** Form of a conversation with a model. */
export const modelFields: FieldForms = {
  ...modelNameField,
  messages: { title: 'Messages', widget: 'list' },
  'messages.*.role': { title: 'Role', widget: 'select' },
  'messages.*.message': { title: 'Message', widget: 'textarea' },
  'messages.*.files': { title: 'Files', widget: 'json' },
  'messages.*.images': { title: 'Images', widget: 'strings' },
  ...modelParameters,
};

/** Form of a question about a text. */
export const sourceFields: FieldForms = {
  ...modelNameField,
  text: { title: 'Text', widget: 'textarea' },
  instructions: { title: 'Instructions', widget: 'textarea' },
  ...modelParameters,
};

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function widgetOf(schema: z.ZodType): Widget {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'switch';
  if (schema instanceof z.ZodEnum) return 'select';
  return schema instanceof z.ZodString ? 'text' : 'json';
}
