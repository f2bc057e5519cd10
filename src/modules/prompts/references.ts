import { parseTemplate, placeholdersOf, type VariablePlaceholder } from '../../engine/scenario/placeholders.js';
import type { Sql } from '../../platform/database/database.js';
import type { Faults } from '../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import { DOES_NOT_EXIST, type PartScope } from '../projects/parts/part-scope.js';
import { findExistingVariables } from '../variables/existing-variables.js';
import type { Condition } from './condition.type.js';

/** Returns the ids of the messages that exist. Injected, because the messages module depends on this one. */
export type FindExistingMessageIds = (sql: Sql, ids: readonly number[], within: PartScope) => Promise<Set<number>>;

/** Lookups that the messages module supplies, because it depends on this module. */
export interface ReferenceChecks {
  findExistingMessageIds: FindExistingMessageIds;
}

/** One id in an input. Exactly one of `variable` and `message` is set. */
export interface Reference {
  /** The path of the member of the input. */
  field: string;
  /** The message to report if no item has this id. */
  fault: string;
  variable?: number;
  /** Id of a named value of the variable. Absent: the variable only has to exist. */
  name?: number;
  message?: number;
}

/** An id that no item has, for placeholders that can never have a value. */
const NO_ID = MAX_INTEGER + 1;

/**
 * Whether a placeholder selects a named value by id. Only those with `pick` -1 do. Without that id they refer to the
 * current item of a loop.
 */
function selectsById(placeholder: VariablePlaceholder): placeholder is VariablePlaceholder & { valueId: number } {
  return placeholder.pick === -1 && placeholder.valueId !== undefined;
}

/** Returns the references of the placeholders in a prompt. */
export function referencesOfContent(field: string, content: string): Reference[] {
  return placeholdersOf(parseTemplate(content)).map(placeholder => {
    const fault = `${placeholder.text} refers to a variable, named value or message that does not exist.`;
    if (placeholder.kind === 'message')
      return { field, fault, message: placeholder.pick >= 0 ? placeholder.messageId : NO_ID };
    const variable = placeholder.pick >= -1 ? placeholder.variableId : NO_ID;
    return { field, fault, variable, ...(selectsById(placeholder) ? { name: placeholder.valueId } : {}) };
  });
}

/** Returns the references of conditions. `field` is the path of their list. */
export function referencesOfConditions(field: string, conditions: readonly Condition[]): Reference[] {
  return conditions.flatMap(({ variable, variableName, message }, index) => [
    ...(variable === null ? [] : [{ field: `${field}.${index}.variableId`, fault: DOES_NOT_EXIST, variable }]),
    ...(variable === null || variableName === null
      ? []
      : [{ field: `${field}.${index}.variableNameId`, fault: DOES_NOT_EXIST, variable, name: variableName }]),
    ...(message === null ? [] : [{ field: `${field}.${index}.messageId`, fault: DOES_NOT_EXIST, message }]),
  ]);
}

/** Adds a fault for every reference to an item that does not exist or is out of scope; both give the same message. */
export async function checkReferences(
  sql: Sql,
  references: readonly Reference[],
  within: PartScope,
  findExistingMessageIds: FindExistingMessageIds,
  faults: Faults,
): Promise<void> {
  const dangling = await danglingReferences(sql, references, within, findExistingMessageIds);
  for (const { field, fault } of dangling) faults.add(field, fault);
}

/** Returns the references to items that do not exist or are out of scope, each fault of a field once. */
export async function danglingReferences(
  sql: Sql,
  references: readonly Reference[],
  within: PartScope,
  findExistingMessageIds: FindExistingMessageIds,
): Promise<Reference[]> {
  const variables = await findExistingVariables(
    sql,
    storableIds(references.map(reference => reference.variable)),
    within,
  );
  const messages = await findExistingMessageIds(
    sql,
    storableIds(references.map(reference => reference.message)),
    within,
  );
  const reportedFaults = new Set<string>();
  return references.filter(({ field, fault, variable, name, message }) => {
    const names = variable === undefined ? undefined : variables.get(variable);
    const exists =
      message === undefined ? names !== undefined && (name === undefined || names.has(name)) : messages.has(message);
    // A missing variable is reported once, not again for its named value.
    const isVariableReported = field.endsWith('variableNameId') && names === undefined;
    if (exists || isVariableReported || reportedFaults.has(`${field} ${fault}`)) return false;
    reportedFaults.add(`${field} ${fault}`);
    return true;
  });
}

function storableIds(ids: readonly (number | undefined)[]): number[] {
  return [...new Set(ids.filter(id => id !== undefined && id <= MAX_INTEGER))] as number[];
}
