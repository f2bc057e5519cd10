import type { Usage } from '../../ports.js';

export interface RunError {
  code: string;
  message: string;
}

/** A variable that a model's answer set. Names may repeat: nothing that a round of a loop said replaces another round's. */
export interface LocalVariable {
  name: string;
  value: string;
}

/** One round of a message; a message that is no loop has one round. */
export interface RoundPlace {
  /** The message's id (of a copy its own). */
  message: number;
  /** Counted from 0. */
  round: number;
}

interface RoundEventBase extends RoundPlace {
  /** ISO 8601 with milliseconds and `Z`. */
  at: string;
  /** How many rounds the message has in all; 0 for a loop over nothing. */
  rounds: number;
}

/**
 * What a run reports. `durable` marks the events that the recorder must have committed before the run goes on: a message
 * is about to be sent, or was answered. `attempt` counts from 1; a second one is made only when the process died over the
 * first. A `message.failed` without a `message.started` was never sent.
 */
export type ScenarioEvent =
  | (RoundEventBase & { type: 'message.started'; attempt: number; durable: true })
  | (RoundEventBase & {
      type: 'message.succeeded';
      /** The text, or the URL of the image. */
      result: string;
      localVariables?: readonly LocalVariable[];
      usage: Usage;
      durable: true;
    })
  | (RoundEventBase & { type: 'message.failed'; error: RunError; usage?: Usage; durable: true })
  | (RoundEventBase & { type: 'message.skipped' })
  | RunEnd;

/** `finalResult`: the last result of the last message that has one. `isStopped`: by a condition. */
export type RunEnd =
  | { type: 'run.finished'; at: string; finalResult: string | null; isStopped: boolean }
  | { type: 'run.failed'; at: string; error: RunError };

export type RoundEvent = Exclude<ScenarioEvent, RunEnd>;

/** An event of a round before it is known when it is reported. */
export type UntimedEvent = RoundEvent extends infer E ? (E extends RoundEvent ? Omit<E, 'at'> : never) : never;
