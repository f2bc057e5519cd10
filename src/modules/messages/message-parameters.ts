import { isObject } from '../../engine/json-value.js';
import { parameterFaults } from '../../engine/scenario/parameters.js';
import { isService, serviceFaults } from '../../engine/scenario/services.js';
import { unknownParameters } from '../../engine/workflow/graph/unknown-members.js';
import { capitalized } from '../../platform/errors/capitalized.js';
import { type Faults, isUnstorableJson } from '../../platform/errors/fields.js';
import type { Warning } from '../../platform/requests/warnings.js';
import { MessageReturnType } from './message.js';

const MAX_DEPTH = 20;
const MAX_LENGTH = 20_000;
const FIELD = 'parameters';

/** The members of a message that decide which parameters it has. */
interface MessageKind {
  provider: string;
  returnType: MessageReturnType;
}

/** The kind of parameters that a message has: those of a service, by its name, of an image or of the chat format. */
export function parametersKindOf({ provider, returnType }: MessageKind): string {
  if (isService(provider)) return provider;
  return returnType === MessageReturnType.IMAGE ? 'image' : 'chat';
}

/**
 * Validates the parameters of a message. Parameters of the chat format have the same types and ranges as in nodes; those of an image
 * are specific to the provider, those of a third-party service are the settings of a node.
 */
export function checkParameters(faults: Faults, parameters: unknown, { provider, returnType }: MessageKind): void {
  if (parameters === undefined || parameters === null) return;
  if (!isObject(parameters)) return faults.add(FIELD, 'Expected an object.');
  if (isUnstorableJson(parameters, MAX_DEPTH))
    return faults.add(
      FIELD,
      `Must be nested at most ${MAX_DEPTH} levels deep, without null characters, lone surrogates and infinite numbers.`,
    );
  if (JSON.stringify(parameters).length > MAX_LENGTH)
    return faults.add(FIELD, `Ensure this field has no more than ${MAX_LENGTH} characters.`);
  if (isService(provider)) return addFaults(faults, serviceFaults(provider, parameters));
  const isChat = returnType !== MessageReturnType.IMAGE;
  if (isChat && 'model' in parameters && !('model_name' in parameters))
    faults.add(`${FIELD}.model`, 'Unknown member; did you mean "model_name"?');
  const checked = isChat ? parameters : { model_name: parameters.model_name };
  addFaults(faults, parameterFaults(checked));
}

function addFaults(faults: Faults, found: readonly { path: string; message: string }[]): void {
  for (const { path, message } of found)
    faults.add(path === '' ? FIELD : `${FIELD}.${path}`, `${capitalized(message)}.`);
}

/** Returns warnings about unknown parameters. They are kept, and not sent. An image provider receives all parameters. */
export function parameterWarnings(parameters: unknown, { provider, returnType }: MessageKind): Warning[] {
  if (isService(provider) || returnType === MessageReturnType.IMAGE) return [];
  return unknownParameters(parameters).map(({ path, message }) => ({ path: `${FIELD}.${path}`, message }));
}
