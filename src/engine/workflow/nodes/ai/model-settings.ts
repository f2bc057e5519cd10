import { z } from 'zod';
import type { FileSetting } from '../../../files/reference.js';
import { isObject, type JsonObject, textOf } from '../../../json-value.js';
import { describeUnservedModel } from '../../../model-names.js';
import {
  MODEL_PARAMETERS,
  providerOptions,
  refusedParametersOf,
  selectModelSettings,
} from '../../../model-parameters.js';
import type { ModelRequest } from '../../../ports.js';
import type { KindFault, ModelCatalog, NodeReference } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import { MAX_CACHE_SECONDS } from './cached-answers.js';
import { filesMember, imageHosts, imagesMember, messageFiles, messageImages } from './images.js';

const MAX_FALLBACKS = 5;
/** Roles that a message of a node can use. */
const OFFERED_ROLES = ['system', 'developer', 'user', 'assistant'];
/** Roles of the chat format. The last two are for results of tool calls, which a node cannot state, so they are accepted but not offered. */
const ROLES = [...OFFERED_ROLES, 'tool', 'function'];

const modelSettings = (setting: SettingMode) =>
  z.looseObject({
    model_name: setting
      .text(z.string().min(1))
      .describe('Name of the model. The built-in model `echo` returns the last user message.'),
    ...Object.fromEntries(
      Object.entries(MODEL_PARAMETERS).map(([name, { schema, description }]) => [
        name,
        setting.value<z.ZodType>(schema).nullish().describe(`${description} Default: that of the provider.`),
      ]),
    ),
    provider_options: setting.value(providerOptions.schema).nullish().describe(providerOptions.description),
  });

/** The provider of the model of a node. */
export const providerName = (setting: SettingMode) =>
  setting
    .text(z.string())
    .nullish()
    .describe(
      'Name of a configured provider, such as `openai`, or `echo` for the built-in model. Default: selected by the model name.',
    );

/** The models that are called after a failure of the provider. */
export const fallbackModels = (setting: SettingMode) =>
  z
    .array(setting.text(z.string().min(1)))
    .max(MAX_FALLBACKS)
    .nullish()
    .describe(
      'Models that are called in this order if the provider of `model_name` fails, at most 5, as `model` or `provider/model`. Default: none.',
    );

/** The age of usable answers. `parts` names the parts of equal requests. */
export const cacheSeconds = (setting: SettingMode, parts: string) =>
  setting
    .value(z.number().int().min(1).max(MAX_CACHE_SECONDS))
    .nullish()
    .describe(
      `Uses a complete answer to an equal request of the project (${parts}) that is at most this many seconds old, 1-2592000. It costs nothing; \`usage\` states what was saved. Default: each request calls the model.`,
    );

/** The model of a node and its parameters, shared by all node kinds that call a model. */
export const modelChoice = (setting: SettingMode) => ({
  settings: modelSettings(setting).describe('The model and its parameters.'),
  provider: providerName(setting),
  fallback_models: fallbackModels(setting),
  cache_seconds: cacheSeconds(setting, 'model, parameters, messages and tools'),
});

/** Members of a conversation with a model. */
export const modelMembers = (setting: SettingMode) => ({
  messages: z
    .array(
      z.looseObject({
        role: setting
          .text(z.string().min(1).meta({ examples: OFFERED_ROLES }))
          .describe('Role of the message: `system`, `developer`, `user` or `assistant`.'),
        message: setting.text(z.string().min(1)).describe('Text of the message, at least 1 character.'),
        images: imagesMember(setting),
        files: filesMember(setting),
      }),
    )
    .min(1)
    .max(1000)
    .describe('The messages in order, 1-1000.'),
  ...modelChoice(setting),
});

/** Members of a question about a text. */
export const sourceMembers = (setting: SettingMode) => ({
  text: setting.text(z.string().min(1)).describe('The text, at least 1 character. It is sent as the last message.'),
  instructions: setting
    .text(z.string().max(100_000))
    .nullish()
    .describe('Further instructions for the model, at most 100000 characters.'),
  ...modelChoice(setting),
});

/**
 * Returns a fault for each model that no configured provider serves, for parameters that its provider cannot express, and
 * those of `roleFaults`.
 */
export function modelFaults(data: JsonObject, context: ModelCatalog): KindFault[] {
  const settings = isObject(data.settings) ? data.settings : {};
  const provider = typeof data.provider === 'string' && data.provider !== '' ? data.provider : undefined;
  return [
    ...roleFaults(data),
    ...faultsOfModel({ provider, model: settings.model_name, path: 'settings.model_name', settings }, context),
    ...fallbacksOf(data).flatMap((model, index) =>
      faultsOfModel({ provider: undefined, model, path: `fallback_models.${index}`, settings }, context),
    ),
  ];
}

/** Returns a fault for each role that the chat format does not have. A placeholder is resolved by the run. */
export function roleFaults({ messages }: JsonObject): KindFault[] {
  const roles = Array.isArray(messages) ? messages.map(message => (isObject(message) ? message.role : undefined)) : [];
  return roles.flatMap((role, index) => {
    const isWritten = typeof role === 'string' && role !== '' && !role.includes('{{');
    if (!isWritten || ROLES.includes(role)) return [];
    return [{ path: `messages.${index}.role`, code: 'invalid_setting', message: `must be one of ${ROLES.join(', ')}` }];
  });
}

interface CheckedModel {
  provider: string | undefined;
  model: unknown;
  path: string;
  settings: JsonObject;
}

function faultsOfModel({ provider, model, path, settings }: CheckedModel, context: ModelCatalog): KindFault[] {
  if (typeof model !== 'string' || `${model}${provider ?? ''}`.includes('{{')) return [];
  if (!context.servesModel(provider, model))
    return [{ path, code: 'unknown_model', message: describeUnservedModel(model, provider, context) }];
  const refused = refusedParametersOf(settings, context.refusedParameters?.(provider, model) ?? []);
  return refused.map(parameter => ({
    path: `settings.${parameter}`,
    code: 'unsupported_parameter',
    message: `is not supported by the provider of ${JSON.stringify(model)}; remove it or choose another model`,
  }));
}

/**
 * Returns the references of a node that calls a model: the models, as `provider/model` if a provider is set, and the hosts from which
 * the provider loads the images of messages.
 */
export function modelReferences(data: JsonObject): NodeReference[] {
  const { provider, settings } = data;
  const name = isObject(settings) ? settings.model_name : undefined;
  const value = typeof provider === 'string' && provider !== '' ? `${provider}/${textOf(name)}` : name;
  const fallbacks = fallbacksOf(data).map(
    (model, index): NodeReference => ({ kind: 'model', path: `fallback_models.${index}`, value: model }),
  );
  return [{ kind: 'model', path: 'settings.model_name', value }, ...fallbacks, ...imageHosts(data)];
}

/** Returns true if unresolved settings name fallback models. */
export function hasFallbacks(data: JsonObject): boolean {
  return fallbacksOf(data).length > 0;
}

function fallbacksOf({ fallback_models: models }: JsonObject): unknown[] {
  return Array.isArray(models) ? models : [];
}

interface ModelChoice {
  settings: z.infer<ReturnType<typeof modelSettings>>;
  provider?: string | null;
  cache_seconds?: number | null;
}

/** Builds the model request of a conversation. */
export function modelRequest({
  messages,
  ...choice
}: ModelChoice & {
  messages: { role: string; message: string; images?: string[] | null; files?: FileSetting[] | null }[];
}): ModelRequest {
  return requestTo(
    choice,
    messages.map(({ role, message, images, files }) => ({
      role,
      content: message,
      ...messageImages(images),
      ...messageFiles(files),
    })),
  );
}

/** Builds the model request of a question about a text. The text is the last message. */
export function questionOf(
  { text, instructions, ...choice }: ModelChoice & { text: string; instructions?: string | null },
  task: string,
): ModelRequest {
  const system = instructions ? `${task}\n${instructions}` : task;
  return requestTo(choice, [
    { role: 'system', content: system },
    { role: 'user', content: text },
  ]);
}

function requestTo(
  { settings, provider, cache_seconds: cacheSeconds }: ModelChoice,
  messages: ModelRequest['messages'],
): ModelRequest {
  return {
    ...(provider ? { provider } : {}),
    messages,
    settings: selectModelSettings(settings),
    ...(cacheSeconds ? { cacheSeconds } : {}),
  };
}
