import { isDeepStrictEqual } from 'node:util';
import { diffGraphs } from '../../../engine/workflow/history/graph-diff.js';
import { keyOf } from '../../../engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { RecordedRun } from '../../workflow-runs/replay/recorded-runs.js';
import type { Revision } from '../../workflows/revision-store.js';
import { BisectCause, type BisectFinding } from '../rehearsal.js';
import type { NumberedRevision } from '../revisions-of.js';

/** A change between the good and the bad run, in the order in which they are applied. */
export type BisectChange = { kind: 'input' } | { kind: 'revision'; id: number; number: number };

/** Error of a node whose MCP tool has another schema than the recorded one. */
const TOOL_CHANGED = 'mcp_tool_changed';

/** Returns the changes between two runs: the input, if it differs, then the revisions from one to the other. */
export function changesBetween(
  good: RecordedRun,
  bad: RecordedRun,
  revisions: readonly NumberedRevision[],
): BisectChange[] {
  const [from, to] = [good.revision.number ?? 0, bad.revision.number ?? 0];
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const between = revisions.filter(({ number }) => number >= low && number <= high && number !== from);
  const path = from <= to ? between : between.toReversed();
  const isSameInput = isDeepStrictEqual(good.input, bad.input) && isDeepStrictEqual(good.variables, bad.variables);
  return [
    ...(isSameInput ? [] : [{ kind: 'input' as const }]),
    ...path.map(each => ({ kind: 'revision' as const, ...each })),
  ];
}

/** A binary search for the first change after which the result is bad. All changes are bad, none is good. */
export class Bisection {
  /** The number of changes after which the result is known to be good, and to be bad. */
  #good = 0;
  #bad: number;
  replays = 0;

  constructor(readonly changes: readonly BisectChange[]) {
    this.#bad = changes.length;
  }

  /** The number of changes to replay next; undefined: the search has ended. */
  get next(): number | undefined {
    return this.#bad - this.#good > 1 ? Math.floor((this.#good + this.#bad) / 2) : undefined;
  }

  settle(count: number, isBad: boolean): void {
    this.replays++;
    if (isBad) this.#bad = count;
    else this.#good = count;
  }

  get culprit(): BisectChange | undefined {
    return this.changes[this.#bad - 1];
  }
}

/** The id of the revision after the first `count` changes. */
export function revisionAfter(good: RecordedRun, changes: readonly BisectChange[], count: number): number {
  const last = changes.slice(0, count).findLast(change => change.kind === 'revision');
  return last?.kind === 'revision' ? last.id : good.revision.id;
}

/** Describes the change that was found. `before` and `after` are the revisions around it. */
export function findingOf(
  { culprit, changes, replays }: Bisection,
  { good, bad, before, after }: { good: RecordedRun; bad: RecordedRun; before: Revision; after: Revision },
): BisectFinding {
  const counts = { changesCount: changes.length, replaysCount: replays };
  if (culprit?.kind === 'revision') {
    const { nodes } = diffGraphs(before.data, after.data);
    const nodeIds = nodes.filter(({ isMovedOnly }) => !isMovedOnly).map(({ nodeId }) => nodeId);
    return {
      ...counts,
      cause: BisectCause.REVISION,
      revisionNumber: after.number,
      previousNumber: before.number,
      nodeIds,
    };
  }
  const none = { revisionNumber: null, previousNumber: null };
  if (culprit) return { ...counts, ...none, cause: BisectCause.INPUT, nodeIds: [] };
  return { ...counts, ...none, ...differentAnswer(good, bad) };
}

/** Finds the first call of both runs with the same request and another answer. */
function differentAnswer(good: RecordedRun, bad: RecordedRun): Pick<BisectFinding, 'cause' | 'nodeIds'> {
  const answers = endsOf(good.masked);
  for (const [key, event] of endsOf(bad.masked)) {
    const other = answers.get(key);
    if (event.type === 'node.failed' && event.error.code === TOOL_CHANGED)
      return { cause: BisectCause.TOOL_PINS, nodeIds: [event.node] };
    if (!other || other.request === undefined || other.request !== event.request) continue;
    if (resultOf(other) === resultOf(event)) continue;
    const isOtherModel = other.usage?.model !== event.usage?.model;
    return { cause: isOtherModel ? BisectCause.MODEL : BisectCause.ANSWER, nodeIds: [event.node] };
  }
  return { cause: BisectCause.UNKNOWN, nodeIds: [] };
}

type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

function endsOf(events: readonly RunEvent[]): Map<string, NodeEnd> {
  const ends = new Map<string, NodeEnd>();
  for (const event of events)
    if (event.type === 'node.succeeded' || event.type === 'node.failed') ends.set(keyOf(event), event);
  return ends;
}

function resultOf(event: NodeEnd): string {
  return event.type === 'node.succeeded' ? event.content : `${event.error.code}: ${event.error.message}`;
}
