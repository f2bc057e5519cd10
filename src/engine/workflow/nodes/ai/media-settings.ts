import { z } from 'zod';
import type { MediaRequest } from '../../../files/media.js';
import { isObject, type JsonObject } from '../../../json-value.js';
import type { ModelRequest } from '../../../ports.js';
import type { FieldForms } from '../../graph/node-form.js';
import type { SettingMode } from '../../graph/settings.js';
import { fallbackField, providerField } from './model-form.js';
import { fallbackModels, providerName } from './model-settings.js';

/** Members of a request that the node itself sets. */
const OWN_MEMBERS = ['model', 'prompt', 'input', 'file', 'n', 'stream', 'response_format'];

/** The model of a node that creates or reads media. `more` are further members of `settings`. */
export const mediaModel = <Shape extends z.ZodRawShape>(setting: SettingMode, example: string, more: Shape) => ({
  settings: z
    .looseObject({
      model_name: setting
        .text(z.string().min(1))
        .describe(`Name of the model, such as \`${example}\`. The built-in model \`echo\` needs no provider.`),
      ...more,
      provider_options: setting
        .value(z.record(z.string(), z.unknown()).refine(hasNoOwnMember, { error: ownMemberFault }))
        .nullish()
        .describe('Further members of the request to the provider. Default: none.'),
    })
    .describe('The model and the settings of the request.'),
  provider: providerName(setting),
  fallback_models: fallbackModels(setting),
});

/** Name of the file that a node creates. */
export const fileNameMember = (setting: SettingMode, example: string) =>
  setting
    .text(z.string().max(255))
    .nullish()
    .describe(`Name of the file, at most 255 characters. Folders are removed. Default \`${example}\`.`);

/** Form of `mediaModel` without the name of the model. */
export const mediaAdvancedFields: FieldForms = {
  ...providerField,
  ...fallbackField,
  'settings.provider_options': { title: 'Provider options', widget: 'json', group: 'advanced' },
};
/** Form of `fileNameMember`. */
export const fileNameField: FieldForms = { file_name: { title: 'File name', widget: 'text', group: 'advanced' } };

/** JSON Schema of the content of a node that creates a file. */
export const fileContent = {
  type: 'object',
  properties: {
    file_id: { type: 'string', description: 'Id of the file.' },
    name: { type: 'string', description: 'Name of the file.' },
    content_type: { type: 'string', description: 'Media type.' },
    size: { type: 'integer', description: 'Bytes.' },
    sha256: { type: 'string', description: 'SHA-256 of the content.' },
  },
};

interface MediaChoice {
  settings: { model_name: string; provider_options?: JsonObject | null };
  provider?: string | null;
}

/** Members of the request in addition to the model, without those that are not set. */
export function mediaOptions({
  model_name: _,
  provider_options,
  ...own
}: MediaChoice['settings'] & JsonObject): JsonObject {
  const given = Object.entries(own).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return { ...Object.fromEntries(given), ...provider_options };
}

/** Builds the request. An empty text is left out. */
export function mediaRequest(
  { settings, provider }: MediaChoice,
  texts: readonly string[],
  media: MediaRequest,
): ModelRequest {
  return {
    ...(provider ? { provider } : {}),
    messages: texts.filter(text => text !== '').map(content => ({ role: 'user', content })),
    settings: { model_name: settings.model_name },
    media,
  };
}

function hasNoOwnMember(options: JsonObject): boolean {
  return OWN_MEMBERS.every(name => !Object.hasOwn(options, name));
}

function ownMemberFault({ input }: { input?: unknown }): string {
  const names = isObject(input) ? OWN_MEMBERS.filter(name => Object.hasOwn(input, name)) : [];
  return `must not contain ${names.join(', ')}`;
}
