import { valueFault } from '../../engine/scenario/conditions.js';
import { ScenarioError } from '../../engine/scenario/failure.js';
import { Patterns } from '../../engine/scenario/patterns.js';
import type { Faults } from '../../platform/errors/fields.js';
import {
  type Condition,
  type ConditionInput,
  ConditionMatching,
  ConditionType,
  type StoredCondition,
} from './condition.type.js';

const MAX_CONDITIONS = 100;
const MAX_VALUE = 10_000;
const MAX_PATTERN = 1_000;

/** Converts conditions to the form that is stored. Adds faults under `field`. Callers check that the ids exist. */
export function parseConditions(
  field: string,
  input: readonly ConditionInput[] | null | undefined,
  faults: Faults,
): Condition[] {
  if ((input?.length ?? 0) > MAX_CONDITIONS) {
    faults.add(field, `Ensure this list has no more than ${MAX_CONDITIONS} conditions.`);
    return [];
  }
  return (input ?? []).map((condition, index) => {
    checkCondition(condition, `${field}.${index}`, faults);
    return {
      isEnabled: condition.isEnabled ?? true,
      type: condition.type,
      matching: condition.matching,
      value: condition.value ?? '',
      ignoreCase: condition.ignoreCase ?? false,
      action: condition.action,
      variable: condition.variableId ?? null,
      variableName: condition.variableNameId ?? null,
      message: condition.messageId ?? null,
    };
  });
}

/** Completes stored conditions: older ones have no `ignoreCase`. */
export function toConditions(stored: readonly StoredCondition[] | undefined): Condition[] {
  return (stored ?? []).map(condition => ({ ...condition, ignoreCase: condition.ignoreCase ?? false }));
}

function checkCondition(condition: ConditionInput, path: string, faults: Faults): void {
  if (condition.type === ConditionType.LANGUAGE && DATE_MATCHINGS.has(condition.matching))
    faults.add(`${path}.matching`, 'A language is not a date. Select another matching, or another type.');
  checkValue(condition, path, faults);
  checkSubject(condition, path, faults);
}

function checkValue({ type, matching, value, ignoreCase }: ConditionInput, path: string, faults: Faults): void {
  const isPattern = matching === ConditionMatching.REGEX;
  const needsValue = !MATCHINGS_WITHOUT_VALUE.has(matching);
  faults.text(`${path}.value`, value, { max: isPattern ? MAX_PATTERN : MAX_VALUE });
  if (needsValue && value == null) faults.add(`${path}.value`, 'This field is required.');
  const fault = isPattern || value == null ? undefined : valueFault(type, matching, value);
  if (fault !== undefined) faults.add(`${path}.value`, `This value ${fault}.`);
  if (isPattern && value != null && value.length <= MAX_PATTERN && !isValidPattern(value, ignoreCase ?? false))
    faults.add(
      `${path}.value`,
      'Must be a regular expression in RE2 syntax, without look-arounds, backreferences and large repetition counts.',
    );
}

const DATE_MATCHINGS: ReadonlySet<ConditionMatching> = new Set([
  ConditionMatching.BEFORE,
  ConditionMatching.AFTER,
  ConditionMatching.ON_DATE,
]);

/** These ignore the value of the condition. */
const MATCHINGS_WITHOUT_VALUE: ReadonlySet<ConditionMatching> = new Set([
  ...[ConditionMatching.EMPTY, ConditionMatching.NOT_EMPTY, ConditionMatching.EXISTS, ConditionMatching.NOT_EXISTS],
  ...[ConditionMatching.IS_TEXT, ConditionMatching.IS_NUMBER, ConditionMatching.IS_BOOLEAN],
  ...[ConditionMatching.IS_LIST, ConditionMatching.IS_OBJECT],
]);

/**
 * A condition may refer only to an item of its type: a variable, a message, or for a language one of both. Without one
 * it checks the first placeholder of its type in the content, which a run finds.
 */
function checkSubject(condition: ConditionInput, path: string, faults: Faults): void {
  const { type, variableId, variableNameId, messageId } = condition;
  if (variableNameId != null && variableId == null && type !== ConditionType.MESSAGE)
    faults.add(`${path}.variableNameId`, 'Requires the variable that contains this named value.');
  if (type === ConditionType.LANGUAGE) {
    if (messageId != null && variableId != null)
      faults.add(`${path}.messageId`, 'A condition refers to a variable or to a message. Remove one of both.');
    return;
  }
  const isOfVariable = type === ConditionType.VARIABLE;
  const other = isOfVariable ? ConditionType.MESSAGE : ConditionType.VARIABLE;
  for (const member of isOfVariable ? (['messageId'] as const) : (['variableId', 'variableNameId'] as const))
    if (condition[member] != null)
      faults.add(
        `${path}.${member}`,
        `A condition of type ${type} cannot refer to a ${other}. Remove this member or use the type ${other}.`,
      );
}

/** Uses the same regular-expression engine as scenario runs. */
function isValidPattern(pattern: string, ignoresCase: boolean): boolean {
  try {
    new Patterns().compile(pattern, 'a condition', { ignoresCase });
    return true;
  } catch (error) {
    if (error instanceof ScenarioError) return false;
    throw error;
  }
}
