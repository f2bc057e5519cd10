import { nearestName } from './nearest-name.js';
import type { ModelCatalog } from './workflow/graph/node-kind.js';

const MAX_LISTED = 20;

/** Explains that no configured provider serves a model, and lists the models that are available. */
export function describeUnservedModel(
  model: string,
  provider: string | undefined,
  { modelNames }: Pick<ModelCatalog, 'modelNames'>,
): string {
  const by = provider === undefined ? 'any configured provider' : `a configured provider ${JSON.stringify(provider)}`;
  const text = `${JSON.stringify(model)} is not served by ${by}; "echo" needs no provider, other models need a provider key of the service or of the project`;
  return modelNames === undefined ? text : `${text}. ${describeAvailableModels(model, modelNames)}`;
}

/** Lists available models, with the nearest name first. */
export function describeAvailableModels(model: string, names: readonly string[]): string {
  const nearest = nearestName(model, names);
  const listed = names.slice(0, MAX_LISTED).join(', ');
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `${nearest === undefined ? '' : `Did you mean ${JSON.stringify(nearest)}? `}Available: ${listed}${rest}`;
}
