import { isDeepStrictEqual } from 'node:util';
import { diffGraphs } from '../../../engine/workflow/history/graph-diff.js';
import { keyOf, type ReplayRecord } from '../../../engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { RecordedRun } from '../../workflow-runs/replay/recorded-runs.js';
import type { Revision } from '../../workflows/revision-store.js';
import type { NumberedRevision } from '../numbered-revisions.js';
import { BisectCause, type BisectFinding } from '../rehearsal.js';

/** A change between the good and the bad run, in the order in which they are applied. */
export type BisectChange = { kind: 'input' } | { kind: 'revision'; id: number; number: number } | AnswerChange;

/**
 * Other answers to the same requests. They are replayed from the journals: those of the good run before the change is applied,
 * those of the bad run after it.
 */
export interface AnswerChange {
  kind: 'model' | 'tool_pins' | 'answer';
  nodeIds: string[];
  /** The executions of the nodes, by `keyOf`. */
  keys: Set<string>;
  /** Only for `model`. */
  models?: { before: string; after: string };
}

/** Error of a node whose MCP tool has another schema than the recorded one. */
const TOOL_CHANGED = 'mcp_tool_changed';

/**
 * Returns the changes between two runs: the input, if it differs, the revisions from one to the other, then other models,
 * tools and answers for the same requests.
 */
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
    ...answerChanges(good, bad),
  ];
}

const ANSWER_KINDS = ['model', 'tool_pins', 'answer'] as const;

/** Another model is one change for all its nodes. Tools and other answers are one change for each node. */
function answerChanges(good: RecordedRun, bad: RecordedRun): AnswerChange[] {
  const answers = endsOf(good.events);
  const changes = new Map<string, AnswerChange>();
  for (const [key, event] of endsOf(bad.events)) {
    const kind = answerKind(answers.get(key), event);
    if (kind === undefined) continue;
    const models = { before: answers.get(key)?.usage?.model ?? '', after: event.usage?.model ?? '' };
    const id = kind === 'model' ? `${kind} ${models.before} ${models.after}` : `${kind} ${event.node}`;
    const change = changes.get(id) ?? { kind, nodeIds: [], keys: new Set(), ...(kind === 'model' ? { models } : {}) };
    changes.set(id, change);
    change.keys.add(key);
    if (!change.nodeIds.includes(event.node)) change.nodeIds.push(event.node);
  }
  return ANSWER_KINDS.flatMap(kind => [...changes.values()].filter(change => change.kind === kind));
}

/** Undefined: not another answer to the same request. */
function answerKind(good: NodeEnd | undefined, bad: NodeEnd): AnswerChange['kind'] | undefined {
  if (bad.type === 'node.failed' && bad.error.code === TOOL_CHANGED) return 'tool_pins';
  if (!good || good.request === undefined || good.request !== bad.request) return undefined;
  if (resultOf(good) === resultOf(bad)) return undefined;
  return good.usage && bad.usage && good.usage.model !== bad.usage.model ? 'model' : 'answer';
}

/** The record of the bad run, with the answers of the good one for the changes that are not applied yet. */
export function recordAfter(
  { record: good }: RecordedRun,
  { record: bad }: RecordedRun,
  changes: readonly BisectChange[],
  count: number,
): ReplayRecord {
  const openKeys = new Set(changes.slice(count).flatMap(change => ('keys' in change ? [...change.keys] : [])));
  if (openKeys.size === 0) return bad;
  const levels = new Map(
    [...bad.levels].map(([iteration, level]) => {
      const finished = new Map(
        [...level.finished].map(([node, end]) => {
          const isOpen = openKeys.has(keyOf({ node, iteration }));
          return [node, (isOpen && good.levels.get(iteration)?.finished.get(node)) || end];
        }),
      );
      return [iteration, { ...level, finished }];
    }),
  );
  return { ...bad, levels };
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

  /** Records whether the result after `count` changes is bad. */
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

const CAUSES = {
  model: BisectCause.MODEL,
  tool_pins: BisectCause.TOOL_PINS,
  answer: BisectCause.ANSWER,
};

/** Describes the change that was found. `before` and `after` are the revisions around it. */
export function findingOf(
  { culprit, changes, replays }: Bisection,
  { before, after }: { before: Revision; after: Revision },
): BisectFinding {
  const counts = { changesCount: changes.length, replaysCount: replays };
  const none = { revisionNumber: null, previousNumber: null, modelBefore: null, modelAfter: null, nodeIds: [] };
  if (culprit === undefined) return { ...counts, ...none, cause: BisectCause.UNKNOWN };
  if (culprit.kind === 'input') return { ...counts, ...none, cause: BisectCause.INPUT };
  if (culprit.kind !== 'revision') {
    const { kind, nodeIds, models } = culprit;
    const names = { modelBefore: models?.before ?? null, modelAfter: models?.after ?? null };
    return { ...counts, ...none, ...names, nodeIds, cause: CAUSES[kind] };
  }
  const { nodes } = diffGraphs(before.data, after.data);
  const nodeIds = nodes.filter(({ isMovedOnly }) => !isMovedOnly).map(({ nodeId }) => nodeId);
  const numbers = { revisionNumber: after.number, previousNumber: before.number };
  return { ...counts, ...none, ...numbers, nodeIds, cause: BisectCause.REVISION };
}

type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** The ends of nodes, by `keyOf`. */
function endsOf(events: readonly RunEvent[]): Map<string, NodeEnd> {
  const ends = new Map<string, NodeEnd>();
  for (const event of events)
    if (event.type === 'node.succeeded' || event.type === 'node.failed') ends.set(keyOf(event), event);
  return ends;
}

function resultOf(event: NodeEnd): string {
  return event.type === 'node.succeeded' ? event.content : `${event.error.code}: ${event.error.message}`;
}
