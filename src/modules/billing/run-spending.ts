import { callWith } from '../../engine/call-with.js';
import type {
  CallContext,
  CallEstimate,
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  PreparedCall,
  Usage,
} from '../../engine/ports.js';
import { PortError } from '../../engine/ports.js';
import { whenReachable } from '../../platform/database/database.js';
import { percentOf, sum } from '../../platform/money/money.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { Budget } from './budgets/budget.js';

interface SpendingParts {
  /**
   * The run's id is the holder of what is reserved. `runFee` is the percentage that its end adds to its cost, and
   * `costUsd` what it has cost before this execution.
   */
  run: { id: string; projectId: number; token: number; runFee?: number | null; costUsd?: string };
  /** Chooses who answers a request, and with whose key. */
  prepare: (request: ModelRequest, signal: AbortSignal) => Promise<PreparedCall>;
  budget: Budget;
  /** Resolves while the run is this process's to pay for. */
  hold?: () => Promise<void>;
}

/**
 * The language models, and whatever else is paid by the call, as one run under execution reaches them: every paid call is covered by a reservation from before it
 * is made until the record that charges it. The usage that comes back in the events leads to the reservation.
 */
export class RunSpending implements LanguageModel {
  readonly #byUsage = new WeakMap<Usage, string>();
  /** All that this execution made. */
  readonly #made: string[] = [];
  /** Of calls that were charged nothing. */
  #free: string[] = [];

  constructor(private readonly parts: SpendingParts) {}

  async complete(request: ModelRequest, call: CallContext): Promise<ModelAnswer> {
    const prepared = await this.parts.prepare(request, call.signal);
    const held = this.#held(call);
    return this.cover(prepared, call, () => prepared.complete(held));
  }

  /** Makes a paid call that should cost as much as `estimate` at most. */
  async cover<T extends { usage: Usage }>(
    estimate: CallEstimate,
    call: CallContext,
    pay: () => Promise<T>,
  ): Promise<T> {
    const reservation = await this.#reserve(estimate, call.signal);
    if (reservation === null) return this.#pay(pay);
    this.#made.push(reservation);
    const fee = await this.#reserveFee(estimate.costUsd, reservation, call.signal);
    try {
      call.signal.throwIfAborted();
      const answer = await this.#pay(pay);
      failpoint('paid.before-record');
      this.#byUsage.set(answer.usage, reservation);
      return answer;
    } catch (error) {
      if (error instanceof PortError && error.usage) this.#byUsage.set(error.usage, reservation);
      // Apart from any record: a call that was cut short may come after the last one.
      else if (call.signal.aborted) await this.parts.budget.release(reservation, ...fee);
      else this.#free.push(reservation, ...fee);
      throw error;
    }
  }

  /**
   * Takes over from an execution that ended before its run did: drops what that one still held, and covers what is known
   * to be used and not yet charged.
   */
  async resume(unbilled: Usage[]): Promise<void> {
    const { run, budget } = this.parts;
    const paid = unbilled.filter(usage => Number(usage.costUsd ?? 0) > 0);
    const amounts = paid.map(usage => usage.costUsd ?? '0');
    const fee = this.#feeOn(sum([run.costUsd ?? '0', ...amounts]));
    const isService = paid.map(usage => usage.isOwn !== true);
    const ids = await budget.replace(run.projectId, run.id, Number(fee) > 0 ? [...amounts, fee] : amounts, isService);
    paid.forEach((usage, index) => {
      this.#byUsage.set(usage, ids[index]!);
    });
  }

  /** The reservations behind these usages, and those of calls that cost nothing: for the record that is written next. */
  settled(charged: Usage[]): string[] {
    const ids = [...charged.flatMap(usage => this.#byUsage.get(usage) ?? []), ...this.#free];
    this.#free = [];
    return ids;
  }

  /** The run is no longer this worker's: nothing of it will be recorded from here. */
  async abandon(): Promise<void> {
    if (this.#made.length > 0) await this.parts.budget.release(...this.#made);
  }

  /** Between the reservation and the call the process may have been stopped for long. */
  async #pay<T>(pay: () => Promise<T>): Promise<T> {
    await this.parts.hold?.();
    return pay();
  }

  /** While the call waited for a slot the process may have been stopped for long as well. */
  #held(call: CallContext): CallContext {
    const { hold } = this.parts;
    if (!hold) return call;
    return callWith(call, async turn => {
      const result = await (call.waitFor ? call.waitFor(turn) : turn);
      await hold();
      return result;
    });
  }

  #feeOn(amountUsd: string): string {
    return percentOf(amountUsd, this.parts.run.runFee ?? 0);
  }

  /** What the run's end will charge on top of the call: it stays reserved until then. */
  async #reserveFee(estimateUsd: string, reservation: string, signal: AbortSignal): Promise<string[]> {
    try {
      const fee = await this.#reserve({ costUsd: this.#feeOn(estimateUsd), isService: false }, signal);
      if (fee === null) return [];
      this.#made.push(fee);
      return [fee];
    } catch (error) {
      await this.parts.budget.release(reservation);
      throw error;
    }
  }

  /** Waits for a database that is away: that is no reason for a node to fail. */
  #reserve({ costUsd, isService }: CallEstimate, signal: AbortSignal): Promise<string | null> {
    const { run, budget } = this.parts;
    const service = isService ? { userId: null } : undefined;
    return whenReachable(() => budget.reserve(run.projectId, run.id, costUsd, run.token, service), signal);
  }
}
