import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../../../engine/text/cut-text.js';
import type { Graph } from '../../../engine/workflow/graph/graph.js';
import { runEnded } from '../../../engine/workflow/run/node-failure.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { type RehearsalChange, RehearsedRunOutcome } from '../rehearsal.js';

const MAX_CHANGES = 20;
/** Longer texts are cut. */
const MAX_BYTES = 2_000;
/** Larger outputs are not kept whole with the report. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** The end of a run. */
export interface RunEnd {
  output: unknown;
  /** Null: it succeeded. */
  error: { code: string; message: string } | null;
}

/** Returns the end of a run from its events; undefined: it has not ended. */
export function endOf(events: readonly RunEvent[]): RunEnd | undefined {
  const last = events.findLast(event => event.type === 'run.succeeded' || event.type === 'run.failed');
  if (last?.type === 'run.succeeded') return { output: last.output, error: null };
  return last?.type === 'run.failed' ? { output: last.output, error: last.error } : undefined;
}

/** Returns true for the same output, or the same error. */
export function isSameEnd(left: RunEnd, right: RunEnd): boolean {
  if (left.error || right.error) return left.error?.code === right.error?.code && messageOf(left) === messageOf(right);
  return isDeepStrictEqual(left.output, right.output);
}

/** Compares the recorded end with that of the rehearsal. */
export function outcomeOf(before: RunEnd, after: RunEnd): RehearsedRunOutcome {
  if (isSameEnd(before, after)) return RehearsedRunOutcome.UNCHANGED;
  if (!before.error && after.error) return RehearsedRunOutcome.FAILED;
  if (before.error && !after.error) return RehearsedRunOutcome.FIXED;
  return RehearsedRunOutcome.CHANGED;
}

/** Returns the top-level nodes whose masked results differ, in the order of the graph, then those only recorded. */
export function changedNodes(graph: Graph, before: readonly RunEvent[], after: readonly RunEvent[]): RehearsalChange[] {
  const [left, right] = [resultsOf(before), resultsOf(after)];
  const known = graph.order.map(({ id }) => id);
  const ids = [...known, ...[...left.keys()].filter(id => !graph.byId.has(id))];
  const changes = ids.flatMap(id => {
    const [was, is] = [left.get(id) ?? null, right.get(id) ?? null];
    if (was === is) return [];
    const label = graph.byId.get(id)?.label ?? '';
    return [{ nodeId: id, label, before: shorten(was), after: shorten(is) }];
  });
  return changes.slice(0, MAX_CHANGES);
}

/** Returns the output. Of one that is too large, returns the beginning of its JSON text. */
export function keptOutput(output: unknown): unknown {
  const text = JSON.stringify(output) ?? 'null';
  return Buffer.byteLength(text) <= MAX_OUTPUT_BYTES ? output : cutText(text, MAX_BYTES);
}

/** Returns the code and message of an error. Null: the run succeeded. */
export function errorText({ error }: RunEnd): string | null {
  return error ? cutText(`${error.code}: ${error.message}`, MAX_BYTES) : null;
}

function messageOf({ error }: RunEnd): string | undefined {
  return error?.message;
}

function shorten(text: string | null): string | null {
  return text === null ? null : cutText(text, MAX_BYTES);
}

function resultsOf(events: readonly RunEvent[]): Map<string, string> {
  const results = new Map<string, string>();
  for (const event of events) {
    if (!('node' in event) || event.iteration !== undefined) continue;
    if (event.type === 'node.succeeded') results.set(event.node, event.content);
    // A node that failed only because the run ended has no result of its own.
    if (event.type === 'node.failed' && event.error.code !== runEnded.error.code)
      results.set(event.node, `${event.error.code}: ${event.error.message}`);
  }
  return results;
}
