import { ask } from './answer.js';
import { Calls } from './call.js';
import { type RecordedAnswer, recordedFrom } from './events/recorded.js';
import type { EventLog } from './events/reports.js';
import type { RoundPlace, RunEnd, RunError } from './events/run-event.js';
import { describeFailure, type RoundFailure, runEnded, ScenarioError } from './failure.js';
import type { PreparedMessage, PreparedScenario } from './prepared.js';
import { type Decision, decide, type FilledPrompt } from './round.js';
import type { ScenarioRunOptions } from './run-options.js';
import type { Message } from './scenario.js';
import type { LoopItem } from './variables.js';

const DEFAULT_PARALLEL = 32;
const DEFAULT_ANSWER_SECONDS = 600;
/** A message that two processes died over is not sent a third time. */
const MAX_ATTEMPTS = 2;

/** A round, and how many its message has. */
type Place = RoundPlace & { rounds: number };

/** Where one execution of a scenario stands: what is in flight, what was answered, how it ends. */
export class ScenarioRun {
  readonly #calls: Calls;
  readonly #recorded: NonNullable<ScenarioRunOptions['recorded']>;
  readonly #results = new Map<Message, string[]>();
  /** Messages that run beside the one that is to come; their work never rejects. */
  readonly #beside = new Map<Message, Promise<void>>();
  #failure: RunError | undefined;
  #isStopped = false;
  #bytes = 0;

  constructor(
    private readonly options: ScenarioRunOptions,
    private readonly scenario: PreparedScenario,
    private readonly reports: EventLog,
  ) {
    const { ports, limits, recorded } = options;
    this.#calls = new Calls(ports.clock, (limits?.answerSeconds ?? DEFAULT_ANSWER_SECONDS) * 1000);
    this.#recorded = recorded ?? recordedFrom([]);
  }

  /** Resolves when everything was reported but the end itself; not at all once the run is abandoned. */
  async toEnd(): Promise<RunEnd> {
    this.#failure = this.#recorded.failure;
    if (this.#failure) await this.#closeOpen();
    for (const prepared of this.scenario.messages) {
      await this.#untilReady(prepared);
      if (this.#isEnding) break;
      await this.#begin(prepared);
      if (this.#isEnding) break;
    }
    await Promise.all(this.#beside.values());
    const at = this.reports.now();
    if (this.#failure) return { type: 'run.failed', at, error: this.#failure };
    return { type: 'run.finished', at, finalResult: this.#finalResult, isStopped: this.#isStopped };
  }

  /** The first failure is the run's: what is in flight is aborted, what is not begun never begins. */
  fail(error: RunError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#calls.endAll(runEnded);
  }

  /** Aborts what is in flight. */
  abandon(): void {
    this.#calls.endAll(runEnded);
  }

  get #isEnding(): boolean {
    return this.#failure !== undefined || this.#isStopped;
  }

  get #finalResult(): string | null {
    const results = this.scenario.messages.map(({ message }) => this.#results.get(message)?.at(-1));
    return results.findLast(result => result !== undefined) ?? null;
  }

  /** What an earlier process left in flight ends with a run that has failed. */
  async #closeOpen(): Promise<void> {
    for (const { message, round, rounds } of this.#recorded.open) {
      await this.#failed({ message, round, rounds }, { error: runEnded });
    }
  }

  /** Waits for the results that the message needs, and for a place in flight. */
  async #untilReady({ needs }: PreparedMessage): Promise<void> {
    await Promise.all([...needs].map(message => this.#beside.get(message)));
    const most = Math.max(1, this.options.limits?.maxParallel ?? DEFAULT_PARALLEL);
    while (this.#beside.size >= most) await Promise.race(this.#beside.values());
  }

  /** Resolves when the next message may begin. */
  async #begin(prepared: PreparedMessage): Promise<void> {
    const { message, rounds, mayStop } = prepared;
    // By its return to here the first round has decided whether the run stops; nothing may pass a later round that can.
    const work = this.#perform(prepared);
    if (!message.isAsync || (mayStop && rounds.length > 1)) return work;
    this.#beside.set(
      message,
      work.finally(() => this.#beside.delete(message)),
    );
  }

  async #perform(prepared: PreparedMessage): Promise<void> {
    const { message, rounds } = prepared;
    const results: string[] = [];
    this.#results.set(message, results);
    const isRecorded = this.#recorded.of({ message: message.id, round: 0 }) !== undefined;
    if (rounds.length === 0 && !isRecorded) {
      await this.reports.tell({ type: 'message.skipped', message: message.id, round: 0, rounds: 0 });
    }
    for (const [round, item] of rounds.entries()) {
      if (this.#failure) return;
      const place = { message: message.id, round, rounds: rounds.length };
      const end = this.#recorded.of(place)?.end;
      if (end === 'skipped') continue;
      if (end && 'result' in end) {
        results.push(end.result);
        this.#bytes += bytesOf(end);
        continue;
      }
      const decision = this.#decide(prepared, item);
      if ('error' in decision) return this.#failed(place, decision);
      if (decision.kind === 'stop') {
        this.#isStopped = true;
        return;
      }
      if (decision.kind === 'skip') await this.reports.tell({ type: 'message.skipped', ...place });
      else await this.#ask(prepared, place, decision.prompts, results);
    }
  }

  #decide(prepared: PreparedMessage, item: LoopItem | undefined): Decision | RoundFailure {
    const { byId, variables } = this.scenario;
    const resultsOf = (id: number) => {
      const message = byId.get(id);
      return (message && this.#results.get(message)) ?? [];
    };
    try {
      return decide(prepared, { variables, item, resultsOf });
    } catch (error) {
      return describeFailure(error);
    }
  }

  async #ask(prepared: PreparedMessage, place: Place, prompts: FilledPrompt[], results: string[]): Promise<void> {
    const attempt = (this.#recorded.of(place)?.attempts ?? 0) + 1;
    if (attempt > MAX_ATTEMPTS) return this.#failed(place, { error: interrupted });
    await this.reports.tell({ type: 'message.started', ...place, attempt, durable: true });
    if (this.#failure) return this.#failed(place, { error: runEnded });
    const { runId, ports } = this.options;
    const key = `scenario-run-${runId}:${place.message}:${place.round}`;
    try {
      const answer = await this.#calls.make(key, call => ask({ prepared, prompts, ports }, call));
      this.#bytes += bytesOf(answer);
      const { maxBytes } = this.options.limits ?? {};
      if (maxBytes !== undefined && this.#bytes > maxBytes) {
        const reason = `the results of the run grew beyond ${maxBytes} bytes`;
        throw new ScenarioError('run_too_large', reason, answer.usage);
      }
      results.push(answer.result);
      await this.reports.tell({ type: 'message.succeeded', ...place, ...answer, durable: true });
    } catch (error) {
      await this.#failed(place, describeFailure(error));
    }
  }

  async #failed(place: Place, { error, usage }: RoundFailure): Promise<void> {
    const failure = { error, ...(usage ? { usage } : {}) };
    const told = this.reports.tell({ type: 'message.failed', ...place, ...failure, durable: true });
    this.fail(error);
    await told;
  }
}

const interrupted: RunError = {
  code: 'interrupted',
  message: `the process that ran the message stopped ${MAX_ATTEMPTS} times while it was in flight`,
};

function bytesOf({ result, localVariables = [] }: RecordedAnswer): number {
  const names = localVariables.reduce(
    (sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  return Buffer.byteLength(result) + names;
}
