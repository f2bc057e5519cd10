import type { ChatMessage } from '../ports.js';
import { metCondition, type PreparedCondition, type Subject } from './conditions.js';
import { danglingReference, quote, ScenarioError } from './failure.js';
import { MAX_EFFORT } from './patterns.js';
import { fill, type Placeholder } from './placeholders.js';
import type { PreparedMessage } from './prepared.js';
import type { PromptRole } from './scenario.js';
import type { LoopItem, Variables } from './variables.js';

/** Characters of all values that are inserted into the prompts of one round. */
const MAX_INSERTED = 8 * 1024 * 1024;

/** What a round of a message finds. */
export interface RoundScope {
  readonly variables: Variables;
  readonly item: LoopItem | undefined;
  /** So far, by the message's id of either kind. */
  resultsOf(message: number): readonly string[];
}

/** What a prompt comes to. */
export interface FilledPrompt {
  role: PromptRole;
  content: string;
}

export type Decision = { kind: 'ask'; prompts: FilledPrompt[] } | { kind: 'skip' } | { kind: 'stop' };

/** What a round is to do, by its conditions and values alone. Throws a ScenarioError when it fails. */
export function decide({ message, prompts, conditions }: PreparedMessage, scope: RoundScope): Decision {
  const effort = { left: MAX_EFFORT };
  const met = (all: readonly PreparedCondition[], owner: string): 'skip' | 'stop' | undefined => {
    const condition = metCondition(all, subject => subjectText(subject, scope), effort);
    if (condition?.action !== 'fail') return condition?.action;
    throw new ScenarioError('condition_failed', `a condition of ${owner} was met: ${quote(condition.text)}`);
  };
  const action = met(conditions, `message ${message.key}`);
  if (action) return { kind: action };
  const kept: FilledPrompt[] = [];
  const size = { left: MAX_INSERTED };
  for (const { prompt, template, conditions: own } of prompts) {
    const ownAction = met(own, `prompt ${prompt.key}`);
    if (ownAction === 'stop') return { kind: 'stop' };
    if (ownAction === 'skip') continue;
    kept.push({ role: prompt.role, content: fill(template, placeholder => inserted(placeholder, scope, size)) });
  }
  return kept.length === 0 ? { kind: 'skip' } : { kind: 'ask', prompts: kept };
}

/** Of a chat the roles of image prompts are instructions. */
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

function inserted(placeholder: Placeholder, scope: RoundScope, size: { left: number }): string {
  const value = find(placeholder, scope);
  if (value === undefined) throw danglingReference(placeholder.text, missing[placeholder.kind]);
  size.left -= value.length;
  if (size.left >= 0) return value;
  const reason = `the values inserted into the prompts of one message must have at most ${MAX_INSERTED} characters`;
  throw new ScenarioError('prompts_too_large', reason);
}

const missing = {
  variable: 'names a value that is not there',
  message: 'names a result that is not there',
} as const;

/** A condition looks at what may be missing: that is the empty text to it. */
function subjectText(subject: Subject, scope: RoundScope): string {
  return find(subject, scope) ?? '';
}

function find(subject: Subject, { variables, item, resultsOf }: RoundScope): string | undefined {
  switch (subject.kind) {
    case 'variable':
      return variables.find(subject, item);
    case 'message':
      return resultsOf(subject.message)[subject.pick];
    case 'last result':
      return resultsOf(subject.id).at(-1);
    case 'first value': {
      const variable = variables.get(subject.id);
      if (!variable) return undefined;
      return variable === item?.variable ? item.value : variables.activeValues(variable)[0];
    }
  }
}
