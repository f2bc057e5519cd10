import { compare } from '../workflow/graph/compare.js';
import { ScenarioError } from './failure.js';
import type { MatchBudget, Patterns } from './patterns.js';
import type { MessagePlaceholder, Placeholder, VariablePlaceholder } from './placeholders.js';
import type { Condition, ConditionAction, Matching } from './scenario.js';
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
  isMet(subject: string, budget: MatchBudget): boolean;
}

/** The context that conditions are prepared in. */
export interface ConditionParts {
  /** Owner of the condition, as named in error messages. */
  owner: string;
  /** Placeholders of the content, in order. */
  placeholders: readonly Placeholder[];
  variables: Variables;
  patterns: Patterns;
}

/**
 * Prepares the enabled conditions. Throws a ScenarioError for a condition without a subject or with an invalid pattern.
 */
export function prepareConditions(conditions: readonly Condition[], parts: ConditionParts): PreparedCondition[] {
  return conditions
    .filter(({ isEnabled }) => isEnabled)
    .map(condition => ({
      subject: subjectOf(condition, parts),
      action: condition.action,
      text: `${condition.matching} ${JSON.stringify(condition.value)}`,
      isMet: matcher(condition, parts.patterns),
    }));
}

/** Returns the first condition that is met, or undefined. */
export function findMetCondition(
  conditions: readonly PreparedCondition[],
  readSubject: (subject: Subject) => string,
  budget: MatchBudget,
): PreparedCondition | undefined {
  return conditions.find(({ subject, isMet }) => isMet(readSubject(subject), budget));
}

function subjectOf(condition: Condition, parts: ConditionParts): Subject {
  const subject = condition.type === 'message' ? messageSubject(condition, parts) : variableSubject(condition, parts);
  if (subject) return subject;
  const ids = condition.type === 'message' ? 'a message' : 'a variable';
  throw new ScenarioError(
    'condition_without_subject',
    `a condition of ${parts.owner} must name ${ids}, or its content have a placeholder of one`,
  );
}

function messageSubject({ message }: Condition, { placeholders, owner }: ConditionParts): Subject | undefined {
  if (typeof message !== 'number')
    return placeholders.find((each): each is MessagePlaceholder => each.kind === 'message');
  return { kind: 'last result', id: message, text: `message ${message} in a condition of ${owner}` };
}

function variableSubject(condition: Condition, parts: ConditionParts): Subject | undefined {
  const { placeholders, owner, variables } = parts;
  const { variable, variableName: name } = condition;
  if (typeof name === 'number') {
    const id = variable ?? variables.get(undefined, name)?.id;
    const text = `value ${name} of a variable in a condition of ${owner}`;
    // If no variable has this value, use an id that is never found.
    return { kind: 'variable', pick: -1, variable: id ?? MISSING, name, text };
  }
  if (typeof variable !== 'number')
    return placeholders.find((each): each is VariablePlaceholder => each.kind === 'variable');
  return { kind: 'first value', id: variable, text: `variable ${variable} in a condition of ${owner}` };
}

/** An id that no row has. */
const MISSING = 0;

function matcher({ matching, value }: Condition, patterns: Patterns): PreparedCondition['isMet'] {
  if (matching === 'regex') return patterns.compile(value);
  const matches = plainMatchings[matching];
  return subject => matches(subject, value);
}

/**
 * Compares as numbers if both sides are numbers, otherwise as case-sensitive text. Surrounding whitespace is ignored,
 * because models end their answers with a line break.
 */
const plainMatchings: Record<Exclude<Matching, 'regex'>, (subject: string, value: string) => boolean> = {
  equal: (subject, value) => compare(subject.trim(), '==', value.trim()),
  not_equal: (subject, value) => compare(subject.trim(), '!=', value.trim()),
  contains: (subject, value) => subject.includes(value),
  not_contains: (subject, value) => !subject.includes(value),
  greater: (subject, value) => compare(subject.trim(), '>', value.trim()),
  less: (subject, value) => compare(subject.trim(), '<', value.trim()),
  empty: subject => subject.trim() === '',
  not_empty: subject => subject.trim() !== '',
};
