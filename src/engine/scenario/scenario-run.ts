import { ask } from './answer.js';
import { Calls } from './calls.js';
import type { EventLog } from './events/event-log.js';
import { type RecordedAnswer, RecordedRun } from './events/recorded-run.js';
import type { RoundId, RunEnd, RunError } from './events/run-event.js';
import { describeFailure, type RoundFailure, runEnded, ScenarioError } from './failure.js';
import type { PreparedMessage, PreparedScenario } from './prepared-scenario.js';
import { type Decision, decide, type FilledPrompt } from './round.js';
import type { ScenarioRunOptions } from './run-options.js';
import type { Message } from './scenario.js';
import type { LoopItem } from './variables.js';

const DEFAULT_PARALLEL = 32;
const DEFAULT_ANSWER_SECONDS = 600;
/** A message is not sent a third time after two processes died during it. */
const MAX_ATTEMPTS = 2;

/** The identity of a round, with the number of rounds of its message. */
type CountedRound = RoundId & { rounds: number };

/** State of one execution of a scenario: calls in flight, results, and the outcome. */
export class ScenarioRun {
  readonly #calls: Calls;
  readonly #recorded: RecordedRun;
  readonly #results = new Map<Message, string[]>();
  /** Asynchronous messages in flight. These promises never reject. */
  readonly #asyncWork = new Map<Message, Promise<void>>();
  #failure: RunError | undefined;
  #isStopped = false;
  #bytes = 0;

  constructor(
    private readonly options: ScenarioRunOptions,
    private readonly scenario: PreparedScenario,
    private readonly events: EventLog,
  ) {
    const { ports, limits, recorded } = options;
    this.#calls = new Calls(ports.clock, (limits?.answerSeconds ?? DEFAULT_ANSWER_SECONDS) * 1000);
    this.#recorded = recorded ?? new RecordedRun([]);
  }

  /**
   * Executes all messages and resolves with the final event when all others were reported. Never resolves if the event
   * log is closed before the final event, as `runScenario` does when it abandons the run.
   */
  async execute(): Promise<RunEnd> {
    this.#failure = this.#recorded.failure;
    if (this.#failure) await this.#failOpenRounds();
    for (const prepared of this.scenario.messages) {
      await this.#waitUntilReady(prepared);
      if (this.#isEnding) break;
      await this.#begin(prepared);
      if (this.#isEnding) break;
    }
    await Promise.all(this.#asyncWork.values());
    const at = this.events.now();
    if (this.#failure) return { type: 'run.failed', at, error: this.#failure };
    return { type: 'run.finished', at, finalResult: this.#finalResult, isStopped: this.#isStopped };
  }

  /** Fails the run; later failures are ignored. Calls in flight are aborted and no further message begins. */
  fail(error: RunError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#calls.endAll(runEnded);
  }

  /** Aborts all calls in flight without failing the run. The caller must close the event log first. */
  abortCalls(): void {
    this.#calls.endAll(runEnded);
  }

  get #isEnding(): boolean {
    return this.#failure !== undefined || this.#isStopped;
  }

  get #finalResult(): string | null {
    const results = this.scenario.messages.map(({ message }) => this.#results.get(message)?.at(-1));
    return results.findLast(result => result !== undefined) ?? null;
  }

  /** Fails the rounds that an earlier process left in flight. */
  async #failOpenRounds(): Promise<void> {
    for (const { message, round, rounds } of this.#recorded.open) {
      await this.#reportFailure({ message, round, rounds }, { error: runEnded });
    }
  }

  /** Waits for the results that the message uses, and for a free slot. */
  async #waitUntilReady({ needs }: PreparedMessage): Promise<void> {
    await Promise.all([...needs].map(message => this.#asyncWork.get(message)));
    const max = Math.max(1, this.options.limits?.maxParallel ?? DEFAULT_PARALLEL);
    while (this.#asyncWork.size >= max) await Promise.race(this.#asyncWork.values());
  }

  /** Begins a message. Resolves when the next message may begin. */
  async #begin(prepared: PreparedMessage): Promise<void> {
    const { message, rounds, mayStop } = prepared;
    // `#perform` decides the first round synchronously, so a stop by that round is known when it returns. If a later round
    // can stop the run, the message is awaited, because the next message must not start before that decision.
    const work = this.#perform(prepared);
    if (!message.isAsync || (mayStop && rounds.length > 1)) return work;
    this.#asyncWork.set(
      message,
      work.finally(() => this.#asyncWork.delete(message)),
    );
  }

  async #perform(prepared: PreparedMessage): Promise<void> {
    const { message, rounds } = prepared;
    const results: string[] = [];
    this.#results.set(message, results);
    const isRecorded = this.#recorded.of({ message: message.id, round: 0 }) !== undefined;
    if (rounds.length === 0 && !isRecorded) {
      await this.events.append({ type: 'message.skipped', message: message.id, round: 0, rounds: 0 });
    }
    for (const [round, item] of rounds.entries()) {
      if (this.#failure) return;
      const id = { message: message.id, round, rounds: rounds.length };
      const end = this.#recorded.of(id)?.end;
      if (end === 'skipped') continue;
      if (end && 'result' in end) {
        results.push(end.result);
        this.#bytes += bytesOf(end);
        continue;
      }
      const decision = this.#decide(prepared, item);
      if ('error' in decision) return this.#reportFailure(id, decision);
      if (decision.kind === 'stop') {
        this.#isStopped = true;
        return;
      }
      if (decision.kind === 'skip') await this.events.append({ type: 'message.skipped', ...id });
      else await this.#ask(prepared, id, decision.prompts, results);
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

  async #ask(prepared: PreparedMessage, id: CountedRound, prompts: FilledPrompt[], results: string[]): Promise<void> {
    const attempt = (this.#recorded.of(id)?.attempts ?? 0) + 1;
    if (attempt > MAX_ATTEMPTS) return this.#reportFailure(id, { error: interrupted });
    await this.events.append({ type: 'message.started', ...id, attempt, durable: true });
    if (this.#failure) return this.#reportFailure(id, { error: runEnded });
    const { runId, ports } = this.options;
    const key = `scenario-run-${runId}:${id.message}:${id.round}`;
    try {
      const answer = await this.#calls.execute(key, call => ask({ prepared, prompts, ports }, call));
      this.#bytes += bytesOf(answer);
      const { maxBytes } = this.options.limits ?? {};
      if (maxBytes !== undefined && this.#bytes > maxBytes) {
        const reason = `the results and local variables of the run exceed ${maxBytes} bytes (RUN_MAX_BYTES)`;
        throw new ScenarioError('run_too_large', reason, answer.usage);
      }
      results.push(answer.result);
      await this.events.append({ type: 'message.succeeded', ...id, ...answer, durable: true });
    } catch (error) {
      await this.#reportFailure(id, describeFailure(error));
    }
  }

  async #reportFailure(id: CountedRound, { error, usage }: RoundFailure): Promise<void> {
    const failure = { error, ...(usage ? { usage } : {}) };
    const reported = this.events.append({ type: 'message.failed', ...id, ...failure, durable: true });
    this.fail(error);
    await reported;
  }
}

const interrupted: RunError = {
  code: 'interrupted',
  message: `the process that ran the message stopped ${MAX_ATTEMPTS} times while it was in flight`,
};

function bytesOf({ result, localVariables = [] }: RecordedAnswer): number {
  const localVariableBytes = localVariables.reduce(
    (sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  return Buffer.byteLength(result) + localVariableBytes;
}
