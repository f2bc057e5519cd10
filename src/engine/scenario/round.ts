import type { ChatMessage } from '../ports.js';
import { findMetCondition, type PreparedCondition, type Subject } from './conditions.js';
import { danglingReference, quote, ScenarioError } from './failure.js';
import { MAX_MATCH_COST } from './patterns.js';
import { fill, type Placeholder } from './placeholders.js';
import type { PreparedMessage } from './prepared-scenario.js';
import type { PromptRole } from './scenario.js';
import type { LoopItem, Variables } from './variables.js';

/** Maximum number of characters that placeholders insert into the prompts of one round. */
const MAX_INSERTED = 8 * 1024 * 1024;

/** The values that a round can access. */
export interface RoundScope {
  readonly variables: Variables;
  readonly item: LoopItem | undefined;
  /** Results so far, by own or original id of the message. */
  resultsOf(message: number): readonly string[];
}

/** A prompt with its placeholders replaced. */
export interface FilledPrompt {
  role: PromptRole;
  content: string;
}

/** The action of a round: it sends its prompts, is skipped, or stops the run. */
export type Decision = { kind: 'ask'; prompts: FilledPrompt[] } | { kind: 'skip' } | { kind: 'stop' };

/**
 * Decides what a round does, from its conditions and values. Throws a ScenarioError if a `fail` condition is met, a
 * reference cannot be resolved, or the prompts are too large.
 */
export function decide({ message, prompts, conditions }: PreparedMessage, scope: RoundScope): Decision {
  const budget = { remaining: MAX_MATCH_COST };
  const findAction = (all: readonly PreparedCondition[], owner: string): 'skip' | 'stop' | undefined => {
    const { met, isUnused } = findMetCondition(all, subject => find(subject, scope), budget);
    if (isUnused) return 'skip';
    if (met?.action === 'fail')
      throw new ScenarioError('condition_failed', `a condition of ${owner} was met: ${quote(met.text)}`);
    return met?.action === 'use' ? undefined : met?.action;
  };
  const action = findAction(conditions, `message ${message.key}`);
  if (action) return { kind: action };
  const filledPrompts: FilledPrompt[] = [];
  const size = { left: MAX_INSERTED };
  for (const { prompt, template, conditions: own } of prompts) {
    const ownAction = findAction(own, `prompt ${prompt.key}`);
    if (ownAction === 'stop') return { kind: 'stop' };
    if (ownAction === 'skip') continue;
    filledPrompts.push({
      role: prompt.role,
      content: fill(template, placeholder => insertValue(placeholder, scope, size)),
    });
  }
  return filledPrompts.length === 0 ? { kind: 'skip' } : { kind: 'ask', prompts: filledPrompts };
}

/** Converts prompts to chat messages. Image prompts become system messages. */
export function chatMessages(prompts: readonly FilledPrompt[]): ChatMessage[] {
  return prompts.map(({ role, content }) => ({ role: chatRoles[role], content }));
}

const chatRoles: Record<PromptRole, string> = {
  user: 'user',
  system: 'system',
  assistant: 'assistant',
  positive: 'system',
  negative: 'system',
};

function insertValue(placeholder: Placeholder, scope: RoundScope, size: { left: number }): string {
  const value = find(placeholder, scope);
  if (value === undefined) throw danglingReference(placeholder.text, missing[placeholder.kind]);
  size.left -= value.length;
  if (size.left >= 0) return value;
  const reason = `the values inserted into the prompts of one message must have at most ${MAX_INSERTED} characters`;
  throw new ScenarioError('prompts_too_large', reason);
}

const missing = {
  variable: 'refers to a value that does not exist',
  message: 'refers to a result that does not exist',
} as const;

function find(subject: Subject, { variables, item, resultsOf }: RoundScope): string | undefined {
  switch (subject.kind) {
    case 'variable':
      return variables.find(subject, item);
    case 'message':
      return resultsOf(subject.messageId)[subject.pick];
    case 'last result':
      return resultsOf(subject.id).at(-1);
    case 'first value': {
      const variable = variables.get(subject.id);
      if (!variable) return undefined;
      return variable === item?.variable ? item.value : variables.activeValues(variable)[0];
    }
  }
}
