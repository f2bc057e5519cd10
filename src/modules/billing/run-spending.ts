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
import { waitObserved, withWaitFor } from '../../engine/wait-for.js';
import { whenReachable } from '../../platform/database/database.js';
import { percentOf, sum } from '../../platform/money/money.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { Budget } from './budgets/budget.js';

interface SpendingParts {
  /**
   * The run, whose id is the holder of the reservations. `runFee` is the commission in percent that is charged
   * at the end of the run. `costUsd` is the cost of the run before this execution.
   */
  run: { id: string; projectId: number; token: number; runFee?: number | null; costUsd?: string };
  /** Selects the provider and the key for a request. */
  prepare: (request: ModelRequest, signal: AbortSignal) => Promise<PreparedCall>;
  budget: Budget;
  /** Resolves if this process holds the lease of the run; rejects otherwise. */
  assertLease?: () => Promise<void>;
}

/**
 * The language models and other paid calls of one run. Every paid call is covered by a reservation, from before
 * the call until the write that charges it. The usage object in the events of the run identifies the
 * reservation.
 */
export class RunSpending implements LanguageModel {
  readonly #reservationByUsage = new WeakMap<Usage, string>();
  /** All reservations of this execution. */
  readonly #reservations: string[] = [];
  /** Reservations of calls that cost nothing. */
  #freeReservations: string[] = [];

  constructor(private readonly parts: SpendingParts) {}

  async complete(request: ModelRequest, call: CallContext): Promise<ModelAnswer> {
    const prepared = await this.parts.prepare(request, call.signal);
    const checkedCall = this.#withLeaseCheck(call);
    return this.cover(prepared, call, () => prepared.complete(checkedCall));
  }

  /**
   * Makes a paid call with a reservation. `estimate` is its maximum cost.
   * @throws PortError `budget_exceeded` if a spending limit does not cover the call, `lease_lost` if another
   * worker has claimed the run
   */
  async cover<T extends { usage: Usage }>(
    estimate: CallEstimate,
    call: CallContext,
    pay: () => Promise<T>,
  ): Promise<T> {
    const reservation = await this.#reserve(estimate, call.signal);
    if (reservation === null) return this.#pay(pay);
    this.#reservations.push(reservation);
    const fee = await this.#reserveFee(estimate.costUsd, reservation, call.signal);
    try {
      call.signal.throwIfAborted();
      const answer = await this.#pay(pay);
      failpoint('paid.before-record');
      this.#reservationByUsage.set(answer.usage, reservation);
      return answer;
    } catch (error) {
      if (error instanceof PortError && error.usage) this.#reservationByUsage.set(error.usage, reservation);
      // Released immediately, because an aborted call may finish after the last write of the run.
      else if (call.signal.aborted) await this.parts.budget.release(reservation, ...fee);
      else this.#freeReservations.push(reservation, ...fee);
      throw error;
    }
  }

  /**
   * Takes over the run from an interrupted execution. Replaces its reservations with reservations for the usage
   * that is recorded but not charged.
   */
  async resume(unbilled: Usage[]): Promise<void> {
    const { run, budget } = this.parts;
    const paid = unbilled.filter(usage => Number(usage.costUsd ?? 0) > 0);
    const amounts = paid.map(usage => usage.costUsd ?? '0');
    const fee = this.#feeOn(sum([run.costUsd ?? '0', ...amounts]));
    // The commission, which is the last amount, has no entry: it is not paid with a provider key.
    const isService = paid.map(usage => usage.isOwn !== true);
    const ids = await budget.replace(run.projectId, run.id, Number(fee) > 0 ? [...amounts, fee] : amounts, isService);
    paid.forEach((usage, index) => {
      this.#reservationByUsage.set(usage, ids[index]!);
    });
  }

  /**
   * Returns the reservations to release with the next write: those of the charged usages and those of calls
   * that cost nothing. The latter are returned only once.
   */
  takeSettled(usages: Usage[]): string[] {
    const ids = [...usages.flatMap(usage => this.#reservationByUsage.get(usage) ?? []), ...this.#freeReservations];
    this.#freeReservations = [];
    return ids;
  }

  /** Releases all reservations after the lease is lost, because this worker records nothing more of the run. */
  async abandon(): Promise<void> {
    if (this.#reservations.length > 0) await this.parts.budget.release(...this.#reservations);
  }

  /** Checks the lease again, because the process may have been suspended between the reservation and the call. */
  async #pay<T>(pay: () => Promise<T>): Promise<T> {
    await this.parts.assertLease?.();
    return pay();
  }

  /** Checks the lease again after the call has waited for a slot. */
  #withLeaseCheck(call: CallContext): CallContext {
    const { assertLease } = this.parts;
    if (!assertLease) return call;
    return withWaitFor(call, async slot => {
      const result = await waitObserved(call, slot);
      await assertLease();
      return result;
    });
  }

  #feeOn(amountUsd: string): string {
    return percentOf(amountUsd, this.parts.run.runFee ?? 0);
  }

  /** Reserves the commission for a call, which is charged at the end of the run. */
  async #reserveFee(estimateUsd: string, reservation: string, signal: AbortSignal): Promise<string[]> {
    try {
      const fee = await this.#reserve({ costUsd: this.#feeOn(estimateUsd), isService: false }, signal);
      if (fee === null) return [];
      this.#reservations.push(fee);
      return [fee];
    } catch (error) {
      await this.parts.budget.release(reservation);
      throw error;
    }
  }

  /** Waits while the database is unavailable, so that the node does not fail. */
  #reserve({ costUsd, isService }: CallEstimate, signal: AbortSignal): Promise<string | null> {
    const { run, budget } = this.parts;
    const service = isService ? { userId: null } : undefined;
    return whenReachable(() => budget.reserve(run.projectId, run.id, costUsd, run.token, service), signal);
  }
}
