import { z } from 'zod';
import { MAX_INTEGER } from '../max-integer.js';
import type { ModelSettings } from '../ports.js';
import { ScenarioError } from './failure.js';
import type { Message } from './scenario.js';

const parameters = z.looseObject({
  model_name: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.number().int().min(1).max(MAX_INTEGER).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  response_format: z.unknown().optional(),
});

/**
 * Selects the model settings among the parameters of a message. Empty ones are left to the provider. Throws a
 * ScenarioError with code `invalid_parameters`.
 */
export function modelSettings({ key, parameters: values }: Message): ModelSettings {
  const read = parameters.safeParse(values);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    throw new ScenarioError('invalid_parameters', `the parameters of message ${key} are not valid: ${faults}`);
  }
  const { model_name, temperature, max_tokens, top_p, response_format } = read.data;
  return {
    ...(model_name ? { model_name } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof max_tokens === 'number' ? { max_tokens } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(response_format === undefined || response_format === null ? {} : { response_format }),
  };
}
