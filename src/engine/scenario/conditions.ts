import { type ConditionOperator, comparesTexts, isMet } from '../conditions/condition.js';
import { ConditionError } from '../conditions/condition-error.js';
import { parseJsonText } from '../json-value.js';
import { ScenarioError } from './failure.js';
import { comparesLanguage, DETECTION_COST, type DetectLanguage, languageFault } from './languages.js';
import type { MatchBudget, Patterns } from './patterns.js';
import type { MessagePlaceholder, Placeholder, VariablePlaceholder } from './placeholders.js';
import type { Condition, ConditionAction, ConditionType, Matching } from './scenario.js';
import type { Variables } from './variables.js';

/** Subject of a condition that names only a message (its latest result) or only a variable (its first value). */
export interface WholeSubject {
  readonly kind: 'last result' | 'first value';
  readonly id: number;
  readonly text: string;
}

/** The text that a condition tests. */
export type Subject = Placeholder | WholeSubject;

/** A condition with a resolved subject and a compiled pattern. */
export interface PreparedCondition {
  readonly subject: Subject;
  readonly action: ConditionAction;
  /** The condition as error messages quote it. */
  readonly text: string;
  /** `subject`: undefined if it has no value or result. */
  isMet(subject: string | undefined, budget: MatchBudget): boolean;
}

/** The context that conditions are prepared in. */
export interface ConditionParts {
  /** Owner of the condition, as named in error messages. */
  owner: string;
  /** Placeholders of the content, in order. */
  placeholders: readonly Placeholder[];
  variables: Variables;
  patterns: Patterns;
  detectLanguage: DetectLanguage;
}

/**
 * Prepares the enabled conditions. Throws a ScenarioError for a condition without a subject or with an invalid pattern.
 * Errors name a condition by its index, in which disabled conditions count.
 */
export function prepareConditions(conditions: readonly Condition[], parts: ConditionParts): PreparedCondition[] {
  return conditions.flatMap((condition, index) => {
    if (!condition.isEnabled) return [];
    const location = `conditions[${index}] of ${parts.owner}`;
    const prepared: PreparedCondition = {
      subject: subjectOf(condition, parts, location),
      action: condition.action,
      text: `${condition.matching} ${JSON.stringify(condition.value)}`,
      isMet: matcherOf(condition, parts, location),
    };
    return [prepared];
  });
}

/**
 * Returns the first condition that is met, or undefined. `isUnused`: none is met, and one of them has the
 * action `use`.
 */
export function findMetCondition(
  conditions: readonly PreparedCondition[],
  readSubject: (subject: Subject) => string | undefined,
  budget: MatchBudget,
): { met: PreparedCondition | undefined; isUnused: boolean } {
  const met = conditions.find(({ subject, isMet }) => isMet(readSubject(subject), budget));
  return { met, isUnused: met === undefined && conditions.some(({ action }) => action === 'use') };
}

function subjectOf(condition: Condition, parts: ConditionParts, location: string): Subject {
  const subject = SUBJECTS[condition.type](condition, parts, location);
  if (subject) return subject;
  const named = condition.type === 'language' ? 'variable or a message' : condition.type;
  throw new ScenarioError(
    'condition_without_subject',
    `${location} must name a ${named}, or its content have a placeholder of one`,
  );
}

const SUBJECTS: Record<
  ConditionType,
  (condition: Condition, parts: ConditionParts, location: string) => Subject | undefined
> = {
  message: messageSubject,
  variable: variableSubject,
  language(condition, parts, location) {
    if (typeof condition.message === 'number') return messageSubject(condition, parts, location);
    const namesVariable = typeof (condition.variable ?? condition.variableName) === 'number';
    return namesVariable ? variableSubject(condition, parts, location) : parts.placeholders[0];
  },
};

function messageSubject({ message }: Condition, parts: ConditionParts, location: string): Subject | undefined {
  if (typeof message !== 'number')
    return parts.placeholders.find((each): each is MessagePlaceholder => each.kind === 'message');
  return { kind: 'last result', id: message, text: `message ${message} in ${location}` };
}

function variableSubject(condition: Condition, parts: ConditionParts, location: string): Subject | undefined {
  const { placeholders, variables } = parts;
  const { variable, variableName: valueId } = condition;
  if (typeof valueId === 'number') {
    const id = variable ?? variables.get(undefined, valueId)?.id;
    const text = `value ${valueId} of a variable in ${location}`;
    // If no variable has this value, use an id that is never found.
    return { kind: 'variable', pick: -1, variableId: id ?? MISSING, valueId, text };
  }
  if (typeof variable !== 'number')
    return placeholders.find((each): each is VariablePlaceholder => each.kind === 'variable');
  return { kind: 'first value', id: variable, text: `variable ${variable} in ${location}` };
}

/** An id that no row has. */
const MISSING = 0;

/** For the type `language`, the code of the language of the subject is compared, without regard to case. */
function matcherOf(
  condition: Condition,
  { patterns, detectLanguage }: ConditionParts,
  location: string,
): PreparedCondition['isMet'] {
  if (!comparesLanguage(condition)) return matcher(condition, patterns, location);
  const matches = matcher({ ...condition, ignoreCase: true }, patterns, location);
  return (subject, budget) => {
    if (subject === undefined) return matches(undefined, budget);
    budget.remaining -= DETECTION_COST;
    if (budget.remaining < 0)
      throw new ScenarioError(
        'condition_too_costly',
        `${location}: the conditions of one message examine too many texts`,
      );
    return matches(detectLanguage(subject), budget);
  };
}

/** Except for `exists` and `not_exists`, a missing subject is the empty text. */
function matcher(condition: Condition, patterns: Patterns, location: string): PreparedCondition['isMet'] {
  const { matching, value, ignoreCase: ignoresCase = false } = condition;
  if (matching === 'exists') return subject => subject !== undefined;
  if (matching === 'not_exists') return subject => subject === undefined;
  if (matching === 'regex') {
    const matches = patterns.compile(value, location, { ignoresCase });
    return (subject = '', budget) => matches(subject, budget);
  }
  const matches = plainMatchings[matching];
  return (subject = '') => {
    try {
      return matches(subject, value, ignoresCase);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      throw new ScenarioError('invalid_condition', `${location} (${matching}): ${error.message}`);
    }
  };
}

/** Returns the fault of a value that no subject of the type can be compared with; undefined: it is valid. */
export function valueFault(
  type: ConditionType,
  matching: Exclude<Matching, 'regex'>,
  value: string,
): string | undefined {
  const fault = type === 'language' ? languageFault(matching, value) : undefined;
  if (fault !== undefined) return fault;
  const operator = OPERATORS[matching];
  if (operator === undefined) return undefined;
  try {
    // Every operator accepts a date as left side, so a fault is that of the right side.
    isMet({ left: '2026-01-01', operator, right: value.trim() });
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error.messageOfValue;
    throw error;
  }
}

/** Operators of nodes that compare texts without surrounding whitespace, because models end their answers with a line break. */
const OPERATORS: Partial<Record<Matching, ConditionOperator>> = {
  equal: '==',
  not_equal: '!=',
  greater: '>',
  less: '<',
  greater_or_equal: '>=',
  less_or_equal: '<=',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
  in: 'in',
  not_in: 'not_in',
  between: 'between',
  before: 'before',
  after: 'after',
  on_date: 'on_date',
};

type PlainMatching = (subject: string, value: string, ignoresCase: boolean) => boolean;

const comparison =
  (operator: ConditionOperator): PlainMatching =>
  (left, right, ignoresCase) =>
    isMet({ left, operator, right, ignore_case: ignoresCase && comparesTexts(operator) });

const compared = Object.fromEntries(
  Object.entries(OPERATORS).map(([matching, operator]): [string, PlainMatching] => {
    const compares = comparison(operator);
    return [matching, (subject, value, ignoresCase) => compares(subject.trim(), value.trim(), ignoresCase)];
  }),
) as Record<keyof typeof OPERATORS, PlainMatching>;

/** Subjects are texts, so their types are those of the JSON that they contain. What is not JSON is a text. */
const ofType =
  (operator: ConditionOperator): PlainMatching =>
  subject => {
    const value = parseJsonText(subject);
    return isMet({ left: value === undefined ? subject : value, operator });
  };

const plainMatchings: Record<Exclude<Matching, 'regex' | 'exists' | 'not_exists'>, PlainMatching> = {
  ...compared,
  contains: comparison('contains'),
  not_contains: comparison('not_contains'),
  empty: subject => subject.trim() === '',
  not_empty: subject => subject.trim() !== '',
  is_text: ofType('is_text'),
  is_number: ofType('is_number'),
  is_boolean: ofType('is_boolean'),
  is_list: ofType('is_list'),
  is_object: ofType('is_object'),
};
