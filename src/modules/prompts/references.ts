import { parseTemplate, placeholdersOf, type VariablePlaceholder } from '../../engine/scenario/placeholders.js';
import type { Sql } from '../../platform/database/database.js';
import type { Faults } from '../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import { DOES_NOT_EXIST, type PartScope } from '../projects/parts/part-scope.js';
import { findExistingVariables } from '../variables/existing-variables.js';
import type { Condition } from './condition.type.js';

/** Returns the ids of the messages that exist. Injected, because the messages module depends on this one. */
export type FindExistingMessages = (sql: Sql, ids: readonly number[], within: PartScope) => Promise<Set<number>>;

/** Lookups that the messages module supplies, because it depends on this module. */
export interface ReferenceChecks {
  findExistingMessages: FindExistingMessages;
}

/** One id in an input, and the fault to report if nothing has this id. */
interface Reference {
  field: string;
  fault: string;
  variable?: number;
  /** Id of a named value of the variable. Absent: the variable only has to exist. */
  name?: number;
  message?: number;
}

/** Only a placeholder with `pick` -1 selects a value by id. Without that id it means the current item of a loop. */
function selectsById(placeholder: VariablePlaceholder): placeholder is VariablePlaceholder & { name: number } {
  return placeholder.pick === -1 && placeholder.name !== undefined;
}

export function referencesOfContent(field: string, content: string): Reference[] {
  return placeholdersOf(parseTemplate(content)).map(placeholder => {
    const fault = `${placeholder.text} refers to a variable, named value or message that does not exist.`;
    if (placeholder.kind === 'message')
      return { field, fault, message: placeholder.pick >= 0 ? placeholder.message : MAX_INTEGER + 1 };
    const variable = placeholder.pick >= -1 ? placeholder.variable : MAX_INTEGER + 1;
    return { field, fault, variable, ...(selectsById(placeholder) ? { name: placeholder.name } : {}) };
  });
}

export function referencesOfConditions(field: string, conditions: readonly Condition[]): Reference[] {
  return conditions.flatMap(({ variable, variableName, message }, index) => [
    ...(variable === null ? [] : [{ field: `${field}.${index}.variable`, fault: DOES_NOT_EXIST, variable }]),
    ...(variable === null || variableName === null
      ? []
      : [{ field: `${field}.${index}.variableName`, fault: DOES_NOT_EXIST, variable, name: variableName }]),
    ...(message === null ? [] : [{ field: `${field}.${index}.message`, fault: DOES_NOT_EXIST, message }]),
  ]);
}

/** Adds a fault for every reference to an item that does not exist or is out of scope; both give the same message. */
export async function checkReferences(
  sql: Sql,
  references: readonly Reference[],
  within: PartScope,
  findExistingMessages: FindExistingMessages,
  faults: Faults,
): Promise<void> {
  const variables = await findExistingVariables(
    sql,
    storableIds(references.map(reference => reference.variable)),
    within,
  );
  const messages = await findExistingMessages(sql, storableIds(references.map(reference => reference.message)), within);
  const reportedFaults = new Set<string>();
  for (const { field, fault, variable, name, message } of references) {
    const names = variable === undefined ? undefined : variables.get(variable);
    const exists =
      message === undefined ? names !== undefined && (name === undefined || names.has(name)) : messages.has(message);
    // A missing variable is reported once, not again for its named value.
    const isVariableReported = field.endsWith('variableName') && names === undefined;
    if (exists || isVariableReported || reportedFaults.has(`${field} ${fault}`)) continue;
    reportedFaults.add(`${field} ${fault}`);
    faults.add(field, fault);
  }
}

function storableIds(ids: readonly (number | undefined)[]): number[] {
  return [...new Set(ids.filter(id => id !== undefined && id <= MAX_INTEGER))] as number[];
}
