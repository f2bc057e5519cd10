import { PortError, type Usage } from '../../ports.js';
import { storable } from '../../storable.js';
import { TemplateError } from '../../template.js';
import { SettingsError } from '../graph/prepared-node.js';
import type { NodeError } from './run-event.js';

/** Why a try of a node failed. */
export interface NodeFailure {
  error: NodeError;
  /** Another try would fail in the same way. */
  isFinal: boolean;
  usage?: Usage;
}

/** Another round of the same loop failed while this one was at work. */
export const roundEnded: NodeFailure = {
  error: { code: 'aborted', message: 'the loop ended before the round had finished' },
  isFinal: true,
};

/** The run itself ended while the node was at work. */
export const runEnded: NodeFailure = {
  error: { code: 'aborted', message: 'the run ended before the node had finished' },
  isFinal: true,
};

export const interrupted: NodeFailure = {
  error: { code: 'interrupted', message: 'the process that ran the node stopped, and the node may not be tried again' },
  isFinal: true,
};

export function timedOut(timeoutMs: number): NodeFailure {
  const message = `the node did not finish within its timeout_seconds of ${timeoutMs / 1000}`;
  return { error: { code: 'timeout', message }, isFinal: false };
}

/** A try that was ended from within the engine; `failure` says why. */
export class AttemptAborted extends Error {
  constructor(readonly failure: NodeFailure) {
    super(failure.error.message);
    this.name = 'TryCutShort';
  }
}

const MAX_MESSAGE = 2000;

/** What a node's entry says about an error; of an unforeseen one nothing, for its message was not written for users. */
export function describeFailure(error: unknown): NodeFailure {
  if (error instanceof AttemptAborted) return error.failure;
  if (error instanceof TemplateError || error instanceof SettingsError) {
    return { error: { code: error.code, message: storable(error.message.slice(0, MAX_MESSAGE)) }, isFinal: true };
  }
  if (error instanceof PortError) {
    const { code, message, usage, isFinal } = error;
    return {
      error: { code, message: storable(message.slice(0, MAX_MESSAGE)) },
      isFinal,
      ...(usage ? { usage } : {}),
    };
  }
  return { error: { code: 'internal_error', message: 'the node failed for an internal reason' }, isFinal: false };
}
