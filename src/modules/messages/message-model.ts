import { isObject } from '../../engine/json-value.js';
import { isService } from '../../engine/scenario/services.js';
import type { ModelCatalog } from '../../engine/workflow/graph/node-kind.js';
import { modelFaults } from '../../engine/workflow/nodes/ai/model-settings.js';
import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { capitalized } from '../../platform/errors/capitalized.js';
import type { Faults } from '../../platform/errors/fields.js';
import type { Warning } from '../../platform/requests/warnings.js';
import type { ServedModels } from '../provider-keys/served-models.js';
import type { MessageUpdateInput } from './message.inputs.js';
import { MessageReturnType } from './message.js';
import type { MessageTables } from './message-tables.js';

/** The members of a message that select its model. */
export interface ModelChoice {
  provider: string;
  returnType: MessageReturnType;
  parameters: unknown;
}

/** Reads the choice of a message or of a copy. */
export function readModelChoice(sql: Sql, id: number): Promise<ModelChoice | undefined> {
  return queryBuilder<MessageTables>(sql)
    .selectFrom('message')
    .select(['provider', 'return_type as returnType', 'parameters'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether the input changes a member that selects the model or its parameters. */
export function changesModel({ provider, returnType, parameters }: MessageUpdateInput): boolean {
  return provider !== undefined || returnType !== undefined || parameters !== undefined;
}

/** Returns the choice after the changes. Null resets a member to its default. */
export function choiceOf(input: MessageUpdateInput, stored?: ModelChoice): ModelChoice {
  const { provider = stored?.provider, returnType = stored?.returnType, parameters = stored?.parameters } = input;
  return { provider: provider ?? '', returnType: returnType ?? MessageReturnType.TEXT, parameters: parameters ?? {} };
}

/** Returns the id of the workflow that the message runs. Undefined: it runs none, or a placeholder selects it. */
export function workflowIdOf({ provider, parameters }: ModelChoice): number | undefined {
  const id = provider === 'workflow' && isObject(parameters) ? parameters.workflow_id : undefined;
  return typeof id === 'number' ? id : undefined;
}

/**
 * Adds faults for a model that no configured provider serves, and for parameters that its provider cannot express. Returns a
 * warning instead if the named provider has no key yet: it can be added before the run.
 */
export async function checkModel(
  servedModels: ServedModels,
  projectId: number,
  { provider, returnType, parameters }: ModelChoice,
  faults: Faults,
): Promise<Warning[]> {
  if (isService(provider) || returnType === MessageReturnType.IMAGE || !isObject(parameters)) return [];
  const attempt = (catalog: ModelCatalog) => {
    const isConfigured = provider === '' || catalog.servesModel(provider, '');
    const found = isConfigured ? modelFaults({ provider, settings: parameters }, catalog) : [];
    return { outcome: { isConfigured, found }, isFinal: isConfigured && found.length === 0 };
  };
  const { isConfigured, found } = await servedModels.withModels(projectId, attempt);
  for (const { path, message } of found)
    faults.add(path.replace(/^settings/, 'parameters'), `${capitalized(message)}.`);
  if (isConfigured) return [];
  const message = `provider ${JSON.stringify(provider)} has no key of the service or of the project; runs fail until one is added`;
  return [{ code: 'provider_not_configured', path: 'provider', message }];
}
