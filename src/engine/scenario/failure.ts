import { PortError, type Usage } from '../ports.js';
import { storable } from '../storable.js';
import type { RunError } from './events/run-event.js';

const MAX_MESSAGE = 2000;
const MAX_QUOTE = 200;

/** Failure of a message and of its run. The text is written for the owner of the run. */
export class ScenarioError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Usage that the provider charged despite the failure. */
    readonly usage?: Usage,
  ) {
    super(message);
    this.name = 'ScenarioError';
  }
}

/** The error of a failed round, with its usage. */
export interface RoundFailure {
  error: RunError;
  usage?: Usage;
}

/** Error of a message that was in flight when its run ended. */
export const runEnded: RunError = {
  code: 'aborted',
  message: 'the run ended before the message had finished',
};

/** Creates the error for a placeholder whose reference cannot be resolved. */
export function danglingReference(placeholder: string, reason: string): ScenarioError {
  return new ScenarioError('dangling_placeholder', `${quote(placeholder)} ${reason}`);
}

/** Shortens user text for an error message to 200 characters. */
export function quote(text: string): string {
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE)}…`;
}

/**
 * Converts an error to the failure of a round. Unexpected errors get a generic message, because their text may contain
 * internals.
 */
export function describeFailure(error: unknown): RoundFailure {
  if (error instanceof ScenarioError || error instanceof PortError) {
    const { code, message, usage } = error;
    return { error: { code, message: storable(message.slice(0, MAX_MESSAGE)) }, ...(usage ? { usage } : {}) };
  }
  return { error: { code: 'internal_error', message: 'the message failed for an internal reason' } };
}
