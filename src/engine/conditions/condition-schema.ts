import { z } from 'zod';
import { isObject, isUnset } from '../json-value.js';
import { COMBINATIONS, CONDITION_OPERATORS, isUnary, rightSideFault, takesMissing } from './condition.js';
import { patternFault } from './pattern.js';

const MAX_NESTING = 3;
const MAX_CONDITIONS = 50;

const operatorText =
  '`==`, `!=`, `>`, `<`, `>=` and `<=` compare as numbers if both sides are numbers or numeric texts, otherwise as texts. `matches` takes a pattern in RE2 syntax, `in` and `not_in` a list, `between` a list of two values, `before`, `after` and `on_date` dates in ISO 8601.';

/** The members of one comparison except its left side. */
export const comparisonMembers = {
  operator: z.enum(CONDITION_OPERATORS).nullish().describe(operatorText),
  right: z
    .unknown()
    .optional()
    .describe('Right side: a text with placeholders, or any value. Not used by `exists`, `empty` and tests of types.'),
  ignore_case: z.boolean().nullish().describe('True: texts are compared without regard to case. Default false.'),
};

interface Fault {
  path: (string | number)[];
  message: string;
}

/**
 * Returns the faults of the right side of a comparison. A pattern with placeholders is checked by the run. Lists and
 * dates are not checked here: see `rightSideWarnings`.
 */
export function comparisonFaults({ operator, right }: { operator?: unknown; right?: unknown }): Fault[] {
  if (isUnary(operator)) return [];
  if (right === undefined) return [{ path: ['right'], message: 'required' }];
  if (operator !== 'matches' || typeof right !== 'string' || hasPlaceholder(right)) return [];
  const fault = patternFault(right);
  return fault === undefined ? [] : [{ path: ['right'], message: fault }];
}

function hasPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{');
}

interface Warning {
  path: string;
  message: string;
  code?: string;
}

/**
 * Returns a warning if the operator can compare no value to the right side. It is not a fault, because only the node that
 * makes the comparison fails: a graph with it runs. `path` is the path of the right side.
 */
export function rightSideWarnings(
  { operator, right }: { operator?: unknown; right?: unknown },
  path: string,
): Warning[] {
  if (right === undefined || hasPlaceholder(right)) return [];
  const message = rightSideFault(operator, right);
  return message === undefined ? [] : [{ code: 'invalid_condition', path, message }];
}

/** Returns the warnings about a condition: of right sides, and of members that have no effect in a group. */
export function conditionWarnings(condition: unknown, path: string): Warning[] {
  if (!isObject(condition)) return [];
  if (!Array.isArray(condition.conditions)) return rightSideWarnings(condition, `${path}.right`);
  return [
    ...['operator', 'right', 'ignore_case']
      .filter(name => !isUnset(condition[name]) && condition[name] !== false)
      .map(name => ({ path: `${path}.${name}`, message: 'has no effect in a group of conditions' })),
    ...condition.conditions.flatMap((each, index) => conditionWarnings(each, `${path}.conditions.${index}`)),
  ];
}

/** `allowedNesting`: how many levels of groups may begin at the condition. */
function faultsOf(condition: Record<string, unknown>, allowedNesting: number): Fault[] {
  const isGroup = condition.conditions !== undefined && condition.conditions !== null;
  if (isGroup && allowedNesting === 0)
    return [{ path: ['conditions'], message: `groups must be nested at most ${MAX_NESTING} deep` }];
  if (isGroup) {
    // With a left side, it is unclear which condition is meant. The other members only have no effect: `conditionWarnings`.
    return condition.left === undefined ? [] : [{ path: ['left'], message: 'must be absent in a group of conditions' }];
  }
  const faults = comparisonFaults(condition);
  if (condition.left === undefined) faults.unshift({ path: ['left'], message: 'required' });
  if (condition.operator === undefined || condition.operator === null) {
    faults.unshift({ path: ['operator'], message: 'required' });
  }
  return faults;
}

/** The type of a recursive schema cannot be inferred. */
type ConditionSchema = z.ZodType<Record<string, unknown>, Record<string, unknown>>;

/** Returns the schema of a condition: a comparison, or a group of conditions with at most `allowedNesting` levels. */
export function conditionSchema(allowedNesting = MAX_NESTING): ConditionSchema {
  const group = {
    combine: z
      .enum(COMBINATIONS)
      .nullish()
      .describe('How `conditions` are combined: all hold (`and`, default), at least one (`or`), none (`not`).'),
    conditions: (allowedNesting === 0 ? z.array(z.unknown()) : z.array(conditionSchema(allowedNesting - 1)))
      .max(MAX_CONDITIONS)
      .nullish()
      .describe(
        `A group of at most ${MAX_CONDITIONS} conditions, in place of \`left\`. Groups may be nested ${MAX_NESTING} deep.`,
      ),
  };
  return z
    .looseObject({
      left: z.unknown().optional().describe('Left side: a text with placeholders, or any value.'),
      ...comparisonMembers,
      ...group,
    })
    .superRefine((condition, context) => {
      for (const { path, message } of faultsOf(condition, allowedNesting)) {
        context.addIssue({ code: 'custom', path, message });
      }
    }) as unknown as ConditionSchema;
}

/** The paths of left sides that may be missing, because the operator tests for existence. */
export function optionalLeftPaths(condition: unknown, path: string): string[] {
  if (!isObject(condition)) return [];
  if (Array.isArray(condition.conditions)) {
    return condition.conditions.flatMap((each, index) => optionalLeftPaths(each, `${path}.conditions.${index}`));
  }
  return takesMissing(condition.operator) ? [`${path}.left`] : [];
}
