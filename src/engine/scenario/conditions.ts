import { compare } from '../workflow/graph/compare.js';
import { ScenarioError } from './failure.js';
import type { MatchBudget, Patterns } from './patterns.js';
import type { MessagePlaceholder, Placeholder, VariablePlaceholder } from './placeholders.js';
import type { Condition, ConditionAction, Matching } from './scenario.js';
import type { Variables } from './variables.js';

/** The latest result, or the first value: what a condition looks at that names a message or a variable alone. */
export interface WholeSubject {
  readonly kind: 'last result' | 'first value';
  readonly id: number;
  readonly text: string;
}

export type Subject = Placeholder | WholeSubject;

/** A condition with its subject found and its pattern compiled. */
export interface PreparedCondition {
  readonly subject: Subject;
  readonly action: ConditionAction;
  /** As an error quotes it. */
  readonly text: string;
  isMet(subject: string, effort: MatchBudget): boolean;
}

export interface ConditionParts {
  /** What the condition belongs to, as an error names it. */
  owner: string;
  /** Of the content, in order. */
  placeholders: readonly Placeholder[];
  variables: Variables;
  patterns: Patterns;
}

/** The enabled ones. Throws a ScenarioError for one that has no subject, or a pattern that does not compile. */
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

/** What is to be done by the first condition that is met; undefined: none is. */
export function metCondition(
  conditions: readonly PreparedCondition[],
  lookAt: (subject: Subject) => string,
  effort: MatchBudget,
): PreparedCondition | undefined {
  return conditions.find(({ subject, isMet }) => isMet(lookAt(subject), effort));
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
    // Without a variable that has it, it is found missing like one that is gone.
    return { kind: 'variable', pick: -1, variable: id ?? MISSING, name, text };
  }
  if (typeof variable !== 'number')
    return placeholders.find((each): each is VariablePlaceholder => each.kind === 'variable');
  return { kind: 'first value', id: variable, text: `variable ${variable} in a condition of ${owner}` };
}

/** No row's id. */
const MISSING = 0;

function matcher({ matching, value }: Condition, patterns: Patterns): PreparedCondition['isMet'] {
  if (matching === 'regex') return patterns.compile(value);
  const matches = plainMatchings[matching];
  return subject => matches(subject, value);
}

/**
 * Numeric where both sides are numbers, else by the text, case and all. Blanks around it do not count: models end their
 * answers with a line break.
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
