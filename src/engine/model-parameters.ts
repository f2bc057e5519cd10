import { z } from 'zod';
import { isObject, type JsonObject } from './json-value.js';
import { MAX_INTEGER } from './max-integer.js';

/** A parameter of the chat completions API. */
export interface ModelParameter {
  /** Type and range. */
  schema: z.ZodType;
  description: string;
}

const number = (min: number, max: number) => z.number().min(min).max(max);
const tokens = z.number().int().min(1).max(MAX_INTEGER);
const name = z.string().min(1).max(255);
const options = z.record(z.string(), z.unknown());

const EFFORTS = ['default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const SERVICE_TIERS = ['auto', 'default', 'flex', 'scale', 'priority'] as const;

/**
 * The parameters that nodes and messages send to a model provider, named as in the chat completions API. A provider
 * with another API lists those that it cannot express in `refusedParameters` of its protocol.
 */
export const MODEL_PARAMETERS = {
  temperature: { schema: number(0, 2), description: 'Sampling temperature, 0-2.' },
  max_tokens: { schema: tokens, description: 'Maximum number of tokens of the answer, at least 1.' },
  max_completion_tokens: {
    schema: tokens,
    description:
      'Maximum number of tokens of the answer and of its reasoning, at least 1. Takes precedence over `max_tokens`.',
  },
  top_p: { schema: number(0, 1), description: 'Nucleus sampling: share of the probability mass, 0-1.' },
  stop: {
    schema: z.union([z.string().min(1), z.array(z.string().min(1)).max(64)]),
    description: 'A text, or a list of at most 64 texts, that ends the answer.',
  },
  seed: { schema: z.number().int(), description: 'Whole number for repeatable sampling.' },
  presence_penalty: { schema: number(-2, 2), description: 'Penalty for tokens that occurred, -2 to 2.' },
  frequency_penalty: { schema: number(-2, 2), description: 'Penalty for frequent tokens, -2 to 2.' },
  logit_bias: {
    schema: z.record(z.string(), number(-100, 100)),
    description: 'Bias by token id, each -100 to 100.',
  },
  logprobs: { schema: z.boolean(), description: 'Whether the provider computes log probabilities.' },
  top_logprobs: { schema: z.number().int().min(0).max(20), description: 'Alternatives for each token, 0-20.' },
  response_format: {
    schema: options,
    description:
      'Format of the answer: `{"type": "json_object"}` or `{"type": "json_schema", "json_schema": {"name", "schema"}}`.',
  },
  tools: {
    schema: z
      .array(
        z.looseObject({
          type: z.string().min(1).describe('Always `function`.'),
          function: z.unknown().optional().describe('Name, description and JSON Schema of the parameters.'),
        }),
      )
      .max(128),
    description:
      'At most 128 functions that the model may call. Its calls become the content, as `{"tool_calls": […]}`.',
  },
  tool_choice: {
    schema: z.union([z.string().min(1), options]),
    description: '`auto`, `none`, `required`, or `{"type": "function", "function": {"name"}}`.',
  },
  parallel_tool_calls: { schema: z.boolean(), description: 'Whether one answer may contain several tool calls.' },
  reasoning_effort: { schema: z.enum(EFFORTS), description: `Effort of a reasoning model: ${EFFORTS.join(', ')}.` },
  verbosity: { schema: z.enum(['low', 'medium', 'high']), description: 'Length of the answer: low, medium, high.' },
  modalities: { schema: z.array(z.literal('text')), description: 'Must be `["text"]`.' },
  prediction: { schema: options, description: 'Expected content of the answer.' },
  web_search_options: { schema: options, description: 'Options of the web search of the provider.' },
  n: { schema: z.literal(1), description: 'Number of answers; must be 1.' },
  stream: { schema: z.literal(false), description: 'Must be false: nodes and messages use the complete answer.' },
  user: { schema: name, description: 'Id of the end user, for the provider.' },
  safety_identifier: { schema: name, description: 'Hashed id of the end user, for the provider.' },
  prompt_cache_key: { schema: name, description: 'Key of the prompt cache of the provider.' },
  metadata: { schema: z.record(z.string(), z.string().max(512)), description: 'Texts that the provider stores.' },
  store: { schema: z.boolean(), description: 'Whether the provider stores the answer.' },
  service_tier: { schema: z.enum(SERVICE_TIERS), description: `Service tier: ${SERVICE_TIERS.join(', ')}.` },
} as const satisfies Record<string, ModelParameter>;

export type ModelParameterName = keyof typeof MODEL_PARAMETERS;

/**
 * Parameters of a model request, named as in the chat completions API (`MODEL_PARAMETERS`). An absent one is left to
 * the provider.
 */
export interface ModelSettings extends Partial<Record<Exclude<ModelParameterName, TypedParameter>, unknown>> {
  model_name?: string;
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  top_p?: number;
  /** Members of the API of the provider, merged into the request. */
  provider_options?: Readonly<Record<string, unknown>>;
}

type TypedParameter = 'temperature' | 'max_tokens' | 'max_completion_tokens' | 'top_p';

export const MODEL_PARAMETER_NAMES = Object.keys(MODEL_PARAMETERS) as ModelParameterName[];

/** Members that decide which answer is read, and limits on which reservations for spending rely. */
const RESERVED = new Set([
  'model',
  'model_name',
  'messages',
  'contents',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
]);

/** Members of the provider's own API, merged into the request. */
export const providerOptions: ModelParameter = {
  schema: options.superRefine((value, context) => {
    const reserved = Object.keys(value).filter(member => RESERVED.has(member));
    if (reserved.length > 0) context.addIssue({ code: 'custom', message: `must not contain ${reserved.join(', ')}` });
  }),
  description:
    'Members of the API of the provider that have no parameter here, such as `{"top_k": 40}`. They are merged into the request.',
};

/** Selects the model name, the parameters and the provider options of a model request. Omits empty and unknown members. */
export function selectModelSettings(values: Readonly<Record<string, unknown>>): ModelSettings {
  const settings: ModelSettings = {};
  const { model_name: model, provider_options: own } = values;
  if (typeof model === 'string' && model !== '') settings.model_name = model;
  for (const parameter of MODEL_PARAMETER_NAMES) {
    const value = Object.hasOwn(values, parameter) ? values[parameter] : undefined;
    if (value !== undefined && value !== null) Object.assign(settings, { [parameter]: value });
  }
  if (isObject(own) && Object.keys(own).length > 0) settings.provider_options = own;
  return settings;
}

/** Values that mean the same as an absent parameter. A provider that cannot express the parameter accepts them. */
const NEUTRAL: Readonly<Partial<Record<ModelParameterName, readonly unknown[]>>> = {
  presence_penalty: [0],
  frequency_penalty: [0],
  logprobs: [false],
  top_logprobs: [0],
  reasoning_effort: ['default'],
  parallel_tool_calls: [true],
  store: [false],
  service_tier: ['auto', 'default'],
};

/** Returns the parameters that are set and that the provider refuses. */
export function refusedParametersOf(
  values: Readonly<JsonObject> | ModelSettings,
  refused: readonly ModelParameterName[],
): ModelParameterName[] {
  return refused.filter(parameter => {
    const value: unknown = (values as Readonly<JsonObject>)[parameter];
    return value !== undefined && value !== null && !NEUTRAL[parameter]?.includes(value);
  });
}

/** The maximum number of tokens of the answer; undefined without a limit. */
export function answerTokens({ max_completion_tokens: newer, max_tokens: older }: ModelSettings): number | undefined {
  return newer ?? older;
}
