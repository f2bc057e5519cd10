import type { LocalVariable, RoundId, RunError, ScenarioEvent } from './run-event.js';

/** State of one round after an earlier execution of the same run. */
export interface RecordedRound {
  /** Number of times the request was sent. */
  readonly attempts: number;
  readonly rounds: number;
  /** Absent: the round is not finished. */
  readonly end?: RecordedAnswer | { readonly error: RunError } | 'skipped';
}

/** The recorded answer to a message. */
export interface RecordedAnswer {
  readonly result: string;
  readonly localVariables?: readonly LocalVariable[];
}

/** State that an earlier execution of the same run recorded, derived from its events. */
export class RecordedRun {
  readonly #rounds = new Map<string, RoundId & RecordedRound>();

  constructor(events: Iterable<ScenarioEvent>) {
    for (const event of events) if ('message' in event) this.#apply(event);
  }

  /** Returns the state of a round, or undefined if it never began. */
  of(id: RoundId): RecordedRound | undefined {
    return this.#rounds.get(keyOf(id));
  }

  /** The first failure that is not the consequence of another one, otherwise the first. */
  get failure(): RunError | undefined {
    const errors = [...this.#rounds.values()].flatMap(({ end }) =>
      typeof end === 'object' && 'error' in end ? [end.error] : [],
    );
    return errors.find(({ code }) => code !== 'aborted') ?? errors[0];
  }

  /** Rounds that began but are not finished. */
  get open(): (RoundId & RecordedRound)[] {
    return [...this.#rounds.values()].filter(({ end }) => end === undefined);
  }

  #apply(event: Extract<ScenarioEvent, { message: number }>): void {
    const { message, round, rounds } = event;
    const earlier = this.of(event) ?? { attempts: 0 };
    const end = endOf(event);
    const attempts = event.type === 'message.started' ? event.attempt : earlier.attempts;
    this.#rounds.set(keyOf(event), { message, round, rounds, attempts, ...(end ? { end } : {}) });
  }
}

function endOf(event: Extract<ScenarioEvent, { message: number }>): RecordedRound['end'] {
  switch (event.type) {
    case 'message.started':
      return undefined;
    case 'message.succeeded':
      return { result: event.result, localVariables: event.localVariables ?? [] };
    case 'message.failed':
      return { error: event.error };
    case 'message.skipped':
      return 'skipped';
  }
}

function keyOf({ message, round }: RoundId): string {
  return `${message}:${round}`;
}
