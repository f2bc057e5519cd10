import type { LocalVariable, RoundPlace, RunError, ScenarioEvent } from './run-event.js';

/** How one round stands after an earlier execution of the same run. */
export interface RecordedRound {
  /** How often it was sent. */
  readonly attempts: number;
  readonly rounds: number;
  /** Absent: it began and did not finish. */
  readonly end?: RecordedAnswer | { readonly error: RunError } | 'skipped';
}

export interface RecordedAnswer {
  readonly result: string;
  readonly localVariables?: readonly LocalVariable[];
}

/** What an earlier execution of the same run left behind. */
export class RecordedRun {
  readonly #rounds = new Map<string, RoundPlace & RecordedRound>();

  constructor(events: Iterable<ScenarioEvent>) {
    for (const event of events) if ('message' in event) this.#take(event);
  }

  of(place: RoundPlace): RecordedRound | undefined {
    return this.#rounds.get(keyOf(place));
  }

  /** The first failure that was not the consequence of another, else the first. */
  get failure(): RunError | undefined {
    const errors = [...this.#rounds.values()].flatMap(({ end }) =>
      typeof end === 'object' && 'error' in end ? [end.error] : [],
    );
    return errors.find(({ code }) => code !== 'aborted') ?? errors[0];
  }

  /** Rounds that began and did not finish. */
  get open(): (RoundPlace & RecordedRound)[] {
    return [...this.#rounds.values()].filter(({ end }) => end === undefined);
  }

  #take(event: Extract<ScenarioEvent, { message: number }>): void {
    const { message, round, rounds } = event;
    const known = this.of(event) ?? { attempts: 0 };
    const end = endOf(event);
    const attempts = event.type === 'message.started' ? event.attempt : known.attempts;
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

function keyOf({ message, round }: RoundPlace): string {
  return `${message}:${round}`;
}

/** What an execution that was interrupted after these events leaves to the next one. */
export function recordedFrom(events: Iterable<ScenarioEvent>): RecordedRun {
  return new RecordedRun(events);
}
