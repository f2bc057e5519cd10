import { PortError, type Usage } from '../ports.js';
import { storable } from '../storable.js';
import type { RunError } from './events/run-event.js';

const MAX_MESSAGE = 2000;
const MAX_QUOTE = 200;

/** Why a message, or the run with it, cannot go on; written for the run's owner. */
export class ScenarioError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What the provider charged for nevertheless. */
    readonly usage?: Usage,
  ) {
    super(message);
    this.name = 'ScenarioError';
  }
}

/** Why a round of a message failed. */
export interface RoundFailure {
  error: RunError;
  usage?: Usage;
}

/** The run ended while the message was in flight. */
export const runEnded: RunError = {
  code: 'aborted',
  message: 'the run ended before the message had finished',
};

export function danglingReference(placeholder: string, reason: string): ScenarioError {
  return new ScenarioError('dangling_placeholder', `${quote(placeholder)} ${reason}`);
}

/** A piece of the user's own text, as it is shown in a message. */
export function quote(text: string): string {
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE)}…`;
}

/** What a message's entry says about an error; of an unforeseen one nothing, for its message was not written for users. */
export function describeFailure(error: unknown): RoundFailure {
  if (error instanceof ScenarioError || error instanceof PortError) {
    const { code, message, usage } = error;
    return { error: { code, message: storable(message.slice(0, MAX_MESSAGE)) }, ...(usage ? { usage } : {}) };
  }
  return { error: { code: 'internal_error', message: 'the message failed for an internal reason' } };
}
