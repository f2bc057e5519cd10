import type { JsonObject } from '../../../json-value.js';
import type { IterationEnd } from '../../graph/node-kind.js';
import type { LoopSettings } from './loop-settings.js';

/** Executes an iteration of a loop. Its failure is thrown if the policy is `stop`, otherwise returned. */
export type ExecuteIteration = (index: number, input: JsonObject, signal: AbortSignal) => Promise<IterationEnd>;

/** Returns the outputs in order. A failed iteration is left out, or described in its place. */
export function outputsOf(ends: readonly IterationEnd[], { on_item_error }: LoopSettings): unknown[] {
  return ends.flatMap((end, index) => {
    if ('output' in end) return [end.output];
    return on_item_error === 'collect' ? [{ index, error: end.error }] : [];
  });
}

/**
 * Calls `work` for each index below `count`, at most `concurrency` at the same time. The first failure aborts the others
 * and is thrown after all have settled.
 */
export async function runConcurrently(
  count: number,
  concurrency: number,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count && failures.length === 0) {
      try {
        await work(next++, stop.signal);
      } catch (error) {
        failures.push(error);
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
  if (failures.length > 0) throw failures[0];
}
