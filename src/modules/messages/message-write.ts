import { SERVICES } from '../../engine/scenario/services.js';
import { MODEL_PROVIDERS } from '../../platform/config/model-providers.js';
import type { Sql } from '../../platform/database/database.js';
import { queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import type { Faults } from '../../platform/errors/fields.js';
import { checkKey } from '../projects/parts/part-keys.js';
import { setLinks } from '../projects/parts/part-links.js';
import type { Condition } from '../prompts/condition.type.js';
import type { MessageUpdateInput } from './message.inputs.js';
import { PROMPTS_OF_MESSAGE } from './message-links.js';
import { changesModel, choiceOf, type ModelChoice } from './message-model.js';
import { checkParameters, parametersKindOf } from './message-parameters.js';
import type { MessageTables } from './message-tables.js';

const MAX_ROUNDS = 1_000;
/**
 * The names that `provider` accepts: the model providers, also without a key because it can be added later, and the services
 * that a message calls in place of a model.
 */
const PROVIDERS: readonly string[] = ['echo', ...MODEL_PROVIDERS, ...SERVICES];
/** Names in another form are not in `PROVIDERS` either, but get a message about their form. */
const PROVIDER_FORM = /^[\w.-]{0,64}$/;

/** Changes the members that `input` sets. `conditions` is the parsed form of its conditions. */
export async function writeMessage(
  sql: Sql,
  id: number,
  input: MessageUpdateInput,
  conditions: Condition[],
): Promise<void> {
  const changes: Updateable<MessageTables['message']> = { updated_at: new Date() };
  if (input.key !== undefined) changes.key = input.key.trim();
  for (const [member, column, empty] of COLUMNS)
    if (input[member] !== undefined) Object.assign(changes, { [column]: input[member] ?? empty });
  if (input.parameters !== undefined) changes.parameters = JSON.stringify(input.parameters ?? {});
  if (input.conditions !== undefined) changes.conditions = JSON.stringify(conditions);
  await queryBuilder<MessageTables>(sql).updateTable('message').set(changes).where('id', '=', id).execute();
  if (input.promptIds !== undefined) await setLinks(sql, PROMPTS_OF_MESSAGE, id, input.promptIds ?? []);
}

/** Columns that are copied as they are, with the value that null stands for. */
const COLUMNS = [
  ['provider', 'provider', ''],
  ['returnType', 'return_type', 'text'],
  ['isLoop', 'is_loop', false],
  ['loopCount', 'loop_count', 1],
  ['loopVariableId', 'loop_variable_id', null],
  ['isAsync', 'is_async', false],
] as const satisfies [keyof MessageUpdateInput, keyof MessageTables['message'], unknown][];

/**
 * Validates the members without the database. `stored` is the choice of a message that exists. Callers check that the ids in
 * the input exist in the right project.
 */
export function addMessageFaults(faults: Faults, input: MessageUpdateInput, stored?: ModelChoice): void {
  checkKey(faults, input.key);
  if (input.provider != null && !PROVIDER_FORM.test(input.provider))
    faults.add('provider', 'Must have at most 64 characters, each a letter, a digit, _, . or -.');
  else if (input.provider && !PROVIDERS.includes(input.provider))
    faults.add('provider', `Must be empty or one of ${PROVIDERS.join(', ')}.`);
  if (changesModel(input)) {
    const { provider, returnType, parameters } = choiceOf(input, stored);
    // Stored parameters were valid for the previous kind, so a change to another kind checks them again.
    const isOtherKind =
      parametersKindOf({ provider, returnType }) !== parametersKindOf(stored ?? { provider: '', returnType });
    checkParameters(faults, isOtherKind ? parameters : input.parameters, { provider, returnType });
  }
  faults.integer('loopCount', input.loopCount, { min: 1, max: MAX_ROUNDS });
}
