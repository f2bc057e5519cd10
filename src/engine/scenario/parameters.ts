import { z } from 'zod';
import { MODEL_PARAMETERS, providerOptions, selectModelSettings } from '../model-parameters.js';
import type { ModelSettings } from '../ports.js';
import { type Fault, faultsOf } from '../workflow/graph/settings.js';
import { ScenarioError } from './failure.js';
import type { Message } from './scenario.js';

const parameters = z.looseObject({
  model_name: z.string().max(255).nullish(),
  ...Object.fromEntries(Object.entries(MODEL_PARAMETERS).map(([name, { schema }]) => [name, schema.nullish()])),
  provider_options: providerOptions.schema.nullish(),
});

/** Returns the faults of the parameters of a text message. The path is that of the parameter. */
export function parameterFaults(values: unknown): Fault[] {
  return faultsOf(parameters, values);
}

/**
 * Selects the model settings among the parameters of a message. Empty ones are left to the provider. Throws a
 * ScenarioError with code `invalid_parameters`.
 */
export function modelSettings({ key, parameters: values }: Message): ModelSettings {
  const faults = parameterFaults(values).map(({ path, message }) => `${path}: ${message}`);
  if (faults.length > 0)
    throw new ScenarioError(
      'invalid_parameters',
      `the parameters of message ${key} are not valid: ${faults.join('; ')}`,
    );
  return selectModelSettings(values);
}
