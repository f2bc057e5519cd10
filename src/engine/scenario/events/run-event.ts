import type { Usage } from '../../ports.js';

/** Error with a code for programs and a message for users. */
export interface RunError {
  code: string;
  message: string;
}

/** A variable from a model's answer. Names may repeat, because each round of a loop adds its own values. */
export interface LocalVariable {
  name: string;
  value: string;
}

/** Identifies a round of a message. A message without a loop has one round. */
export interface RoundId {
  /** Id of the message in the run's copy of the scenario. */
  message: number;
  /** Index of the round, from 0. */
  round: number;
}

interface RoundEventBase extends RoundId {
  /** ISO 8601 with milliseconds and `Z`. */
  at: string;
  /** Number of rounds of the message; 0 for a loop without items. */
  rounds: number;
}

/**
 * An event of a run. The recorder must commit a `durable` event before the run continues: a message is about to be
 * sent, or was answered. `attempt` counts from 1; a second attempt happens only after the process died during the
 * first. A `message.failed` without a `message.started` was never sent.
 */
export type ScenarioEvent =
  | (RoundEventBase & { type: 'message.started'; attempt: number; durable: true })
  | (RoundEventBase & {
      type: 'message.succeeded';
      /** The answer text, or the URL of the image. */
      result: string;
      localVariables?: readonly LocalVariable[];
      usage: Usage;
      durable: true;
    })
  | (RoundEventBase & { type: 'message.failed'; error: RunError; usage?: Usage; durable: true })
  | (RoundEventBase & { type: 'message.skipped' })
  | RunEnd;

/**
 * The end of a run. `finalResult` is the last result of the last message that has one. `isStopped`: a condition ended
 * the run.
 */
export type RunEnd =
  | { type: 'run.finished'; at: string; finalResult: string | null; isStopped: boolean }
  | { type: 'run.failed'; at: string; error: RunError };

export type RoundEvent = Exclude<ScenarioEvent, RunEnd>;

/** A round event without its time, which is set when it is queued. `infer` applies `Omit` to each kind of event separately. */
export type UntimedEvent = RoundEvent extends infer E ? (E extends RoundEvent ? Omit<E, 'at'> : never) : never;
