import type { Sql } from '../../../platform/database/database.js';
import { Faults, NOT_NULL } from '../../../platform/errors/fields.js';
import { readModelChoice } from '../../messages/message-model.js';
import { addMessageFaults, writeMessage } from '../../messages/message-write.js';
import { checkKey } from '../../projects/parts/part-keys.js';
import type { Condition } from '../../prompts/condition.type.js';
import { parseConditions } from '../../prompts/conditions.js';
import { readVariableNames, updateVariableCopy } from '../../variables/variable-copies.js';
import type { VariableNameInput } from '../../variables/variable-name.type.js';
import { mergeNames, type StoredNames } from '../../variables/variable-names.js';
import type { ScenarioRunMessageInput, ScenarioRunVariableInput } from '../scenario-run.inputs.js';
import { RunParts } from './run-parts.js';

const MAX_CHANGES = 1_000;
const MAX_PROMPTS = 100;

/** Changes of the copies of a run, as in a request. */
export interface RunChanges {
  messages?: readonly ScenarioRunMessageInput[] | null;
  variables?: readonly ScenarioRunVariableInput[] | null;
}

/** Changes the copies of a run that the caller has locked. Throws all faults at once; the caller then rolls back. */
export async function changeRun(sql: Sql, runId: number, { messages, variables }: RunChanges): Promise<void> {
  const faults = new Faults();
  const parts = await RunParts.read(sql, runId);
  const changeEach = async <T>(
    field: string,
    request: readonly T[],
    change: (parts: RunParts, request: T) => Promise<Faults>,
  ): Promise<void> => {
    if (request.length > MAX_CHANGES) faults.add(field, `Ensure this list has no more than ${MAX_CHANGES} changes.`);
    else
      for (const [index, item] of request.entries()) faults.addWithin(`${field}.${index}`, await change(parts, item));
  };
  // The order does not matter for loops over a changed variable: rounds are counted when the run starts.
  await changeEach('variables', variables ?? [], changeVariable);
  await changeEach('messages', messages ?? [], changeMessage);
  faults.throwIfAny();
}

/** Changes a message copy. Returns the faults; if there are any, nothing is changed. */
export async function changeMessage(parts: RunParts, request: ScenarioRunMessageInput): Promise<Faults> {
  const { id: _id, ...input } = request;
  const faults = new Faults();
  const message = parts.findForChange('message', request, faults);
  addMessageFaults(faults, input, message && (await readModelChoice(parts.sql, message.id)));
  const conditions = parseConditions('conditions', input.conditions, faults).map((condition, index) =>
    toStoredCondition(parts, condition, `conditions.${index}`, faults),
  );
  const prompts = input.promptIds ?? [];
  if (prompts.length > MAX_PROMPTS) faults.add('promptIds', `Ensure this list has no more than ${MAX_PROMPTS} ids.`);
  const promptParts = prompts.map((id, index) => parts.find('prompt', id, `promptIds.${index}`, faults));
  const loop = input.loopVariableId;
  const loopVariableId = loop == null ? loop : (parts.find('variable', loop, 'loopVariableId', faults)?.id ?? null);
  if (!message || faults.areAny) return faults;
  const change = { ...input, ...(loopVariableId === undefined ? {} : { loopVariableId }) };
  if (input.promptIds !== undefined) change.promptIds = promptParts.flatMap(prompt => prompt?.id ?? []);
  await writeMessage(parts.sql, message.id, change, conditions);
  if (input.key !== undefined) message.key = input.key.trim();
  return faults;
}

/** Changes a variable copy. Returns the faults; if there are any, nothing is changed. */
export async function changeVariable(parts: RunParts, request: ScenarioRunVariableInput): Promise<Faults> {
  const faults = new Faults();
  checkKey(faults, request.key);
  const variable = parts.findForChange('variable', request, faults);
  if (request.variableNames === null) faults.add('variableNames', NOT_NULL);
  if (!variable || faults.areAny) return faults;
  const stored = await readVariableNames(parts.sql, variable.id);
  const { names, lastId } = mergeChanges(stored, toNameInputs(request, stored), faults);
  if (request.value !== undefined && names.length === 0)
    faults.add('value', 'The variable has no named value to replace. Add one with variableNames.');
  if (faults.areAny) return faults;
  if (request.key !== undefined) variable.key = request.key.trim();
  await updateVariableCopy(parts.sql, variable.id, { key: variable.key, names, lastId });
  return faults;
}

/** The member `value` stands for the first named value of the variable. */
function toNameInputs({ variableNames, value }: ScenarioRunVariableInput, { names }: StoredNames): VariableNameInput[] {
  const [first] = names;
  if (value === undefined || !first) return variableNames ?? [];
  return [{ id: first.id, value } as VariableNameInput, ...(variableNames ?? []).filter(({ id }) => id !== first.id)];
}

/** Stored values that the change omits stay in their positions, so placeholders stay valid. */
function mergeChanges(stored: StoredNames, request: readonly VariableNameInput[], faults: Faults): StoredNames {
  const { names: requestedNames, lastId } = mergeNames(stored, request, faults);
  const storedIds = new Set(stored.names.map(({ id }) => id));
  const storedNames = stored.names.map(name => requestedNames.find(({ id }) => id === name.id) ?? name);
  return { names: [...storedNames, ...requestedNames.filter(({ id }) => !storedIds.has(id))], lastId };
}

/** Converts ids to those of the originals, which stay valid in copies of this run. */
function toStoredCondition(parts: RunParts, condition: Condition, path: string, faults: Faults): Condition {
  const { variable, message } = condition;
  const original = (table: 'variable' | 'message', id: number) => {
    const part = parts.find(table, id, `${path}.${table}Id`, faults);
    return part ? (part.originalId ?? part.id) : id;
  };
  return {
    ...condition,
    variable: variable === null ? null : original('variable', variable),
    message: message === null ? null : original('message', message),
  };
}
