import { z } from 'zod';
import { isObject, type JsonObject, textOf } from '../../json-value.js';
import type { ModelRequest, ModelSettings } from '../../ports.js';
import type { NodeReference, ValidationContext } from '../graph/node-kind.js';
import type { Fault, SettingMode } from '../graph/settings.js';

const modelSettings = (setting: SettingMode) =>
  z.looseObject({
    model_name: setting
      .text(z.string().min(1))
      .describe('Name of the model. The built-in model `echo` returns the last user message.'),
    temperature: setting
      .value(z.number().min(0).max(2))
      .nullish()
      .describe('Sampling temperature, 0-2. Default: that of the provider.'),
    max_tokens: setting
      .value(z.number().int().min(1).max(10_000_000))
      .nullish()
      .describe('Maximum number of tokens of the answer, at least 1. Default: that of the provider.'),
    top_p: setting
      .value(z.number().min(0).max(1))
      .nullish()
      .describe('Nucleus sampling: share of the probability mass, 0-1. Default: that of the provider.'),
    response_format: z
      .unknown()
      .optional()
      .describe('Response format, forwarded unchanged to the provider, such as `{"type": "json_object"}`.'),
  });

/** Members of a model request, shared by all node kinds that call a model. */
export const modelMembers = (setting: SettingMode) => ({
  messages: z
    .array(
      z.looseObject({
        role: setting.text(z.string().min(1)).describe('Role of the message, such as `system` or `user`.'),
        message: setting.text(z.string().min(1)).describe('Text of the message, at least 1 character.'),
      }),
    )
    .min(1)
    .max(1000)
    .describe('The messages in order, 1-1000.'),
  settings: modelSettings(setting).describe('The model and its parameters.'),
  provider: setting
    .text(z.string())
    .nullish()
    .describe('Name of a configured provider. Default: selected by the model name.'),
});

/** Returns a fault if no configured provider serves the model. */
export function unservedModel(data: JsonObject, context: ValidationContext): Fault[] {
  const model = isObject(data.settings) ? data.settings.model_name : undefined;
  const provider = typeof data.provider === 'string' && data.provider !== '' ? data.provider : undefined;
  if (typeof model !== 'string' || `${model}${provider ?? ''}`.includes('{{')) return [];
  if (context.servesModel(provider, model)) return [];
  return [{ path: 'settings.model_name', message: notServed(model, provider) }];
}

function notServed(model: string, provider: string | undefined): string {
  const by = provider === undefined ? 'any configured provider' : `a configured provider ${JSON.stringify(provider)}`;
  return `${JSON.stringify(model)} is not served by ${by}; "echo" needs no provider, other models need a provider key of the service or of the project`;
}

/** Returns the reference to the model, as `provider/model` if a provider is set. */
export function modelReferences({ provider, settings }: JsonObject): NodeReference[] {
  const name = isObject(settings) ? settings.model_name : undefined;
  const value = typeof provider === 'string' && provider !== '' ? `${provider}/${textOf(name)}` : name;
  return [{ kind: 'model', path: 'settings.model_name', value }];
}

interface ModelMembers {
  messages: { role: string; message: string }[];
  settings: z.infer<ReturnType<typeof modelSettings>>;
  provider?: string | null;
}

/** Builds the model request of a node. */
export function modelRequest({ messages, settings, provider }: ModelMembers): ModelRequest {
  return {
    ...(provider ? { provider } : {}),
    messages: messages.map(({ role, message }) => ({ role, content: message })),
    settings: withoutEmpty(settings),
  };
}

/** Omits empty members and members that front ends store for themselves. */
function withoutEmpty(settings: ModelMembers['settings']): ModelSettings {
  const { model_name, temperature, max_tokens, top_p, response_format } = settings;
  return {
    model_name,
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof max_tokens === 'number' ? { max_tokens } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(response_format === undefined || response_format === null ? {} : { response_format }),
  };
}
