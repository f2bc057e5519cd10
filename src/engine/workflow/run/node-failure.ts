import { TemplateError } from '../../expressions/expression.js';
import { PortError, type Usage } from '../../ports.js';
import { storable } from '../../storable.js';
import { SettingsError } from '../graph/prepared-node.js';
import type { NodeError } from './run-event.js';

/** Failure of one attempt of a node. */
export interface NodeFailure {
  error: NodeError;
  /** True if a retry would fail in the same way. */
  isFinal: boolean;
  usage?: Usage;
  /** HTTP status of the response that failed the attempt. */
  status?: number;
}

/** Failure of an iteration that was aborted because another iteration of its loop failed. */
export const iterationAborted: NodeFailure = {
  error: { code: 'aborted', message: 'the loop ended before the iteration had finished' },
  isFinal: true,
};

/** Failure of a node that was aborted because its run ended. */
export const runEnded: NodeFailure = {
  error: { code: 'aborted', message: 'the run ended before the node had finished' },
  isFinal: true,
};

/** Failure of a node that was interrupted too often by the death of a process. */
export const interrupted: NodeFailure = {
  error: {
    code: 'interrupted',
    message: 'the process that executed the node stopped, and the node has no attempts left',
  },
  isFinal: true,
};

/** Creates the failure of a node that exceeded its time limit in milliseconds. */
export function timedOut(timeoutMs: number): NodeFailure {
  const message = `the node did not finish within its timeout_seconds of ${timeoutMs / 1000}`;
  return { error: { code: 'timeout', message }, isFinal: false };
}

/** An attempt was aborted by the engine; `failure` is the reason. */
export class AttemptAborted extends Error {
  constructor(readonly failure: NodeFailure) {
    super(failure.error.message);
    this.name = 'AttemptAborted';
  }
}

const MAX_MESSAGE = 2000;

/**
 * Converts an error to a node failure. Unexpected errors get a generic message, because their text may contain
 * internals.
 */
export function describeFailure(error: unknown): NodeFailure {
  if (error instanceof AttemptAborted) return error.failure;
  if (error instanceof TemplateError || error instanceof SettingsError) {
    return { error: { code: error.code, message: storable(error.message.slice(0, MAX_MESSAGE)) }, isFinal: true };
  }
  if (error instanceof PortError) {
    const { code, message, usage, isFinal, status } = error;
    return {
      error: { code, message: storable(message.slice(0, MAX_MESSAGE)) },
      isFinal,
      ...(usage ? { usage } : {}),
      ...(status === undefined ? {} : { status }),
    };
  }
  return { error: { code: 'internal_error', message: 'the node failed for an internal reason' }, isFinal: false };
}
