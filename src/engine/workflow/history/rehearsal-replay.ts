import type { GraphNode } from '../graph/graph.js';
import type { Outcome } from '../graph/node-kind.js';
import { interrupted, runEnded } from '../run/node-failure.js';
import { type NodePlace, placeOf, type RecordedEnd } from '../run/recorded-state.js';
import { EXECUTE, type Replay, type ReplayAnswer } from './replay.js';
import { keyOf, type ReplayRecord } from './replay-record.js';

/**
 * How a rehearsal treats one execution of a node with external effects. `reused`: the request is unchanged, the
 * recorded answer is taken. `executed`: the call is made. `assumed`: the call is held back, and the recorded answer to
 * another request is taken. `held`: the call is held back and has no recorded answer.
 */
export type RehearsedCall = NodePlace & { kind: 'reused' | 'executed' | 'assumed' | 'held' };

/** What `RehearsalReplay` answers from, and which calls it permits. */
export interface RehearsalSource {
  /** Journals whose answers are taken for unchanged requests, in order of preference. At least one. */
  records: readonly ReplayRecord[];
  /** Ends that this rehearsal has recorded before its worker died, by `keyOf`. */
  finished: ReadonlyMap<string, RecordedEnd>;
  /** Returns true if the call of the node may be made. */
  mayCall(node: GraphNode): boolean;
  /**
   * True: calls without a recorded answer are held back for now. The end of a failed run leaves such calls behind, and
   * they need not be made if the rehearsal fails in the same way.
   */
  defersUnrecorded: boolean;
}

/** Codes of failures that say nothing about the request. */
const WITHOUT_ANSWER = new Set([runEnded.error.code, interrupted.error.code]);

/** Answers nodes whose requests are unchanged from journals, and lets the others be executed. */
export class RehearsalReplay implements Replay {
  readonly abortsHeldNodes = true;
  readonly #calls = new Map<string, RehearsedCall>();
  #hasDeferred = false;

  constructor(private readonly source: RehearsalSource) {}

  /** The calls so far, in the order of their beginning. */
  get calls(): readonly RehearsedCall[] {
    return [...this.#calls.values()];
  }

  /** True if a call was held back that the next execution must make. */
  get hasDeferred(): boolean {
    return this.#hasDeferred;
  }

  isExecuted(place: NodePlace): boolean {
    return this.#calls.get(keyOf(place))?.kind === 'executed';
  }

  startedAt(node: GraphNode, iteration: string): string | undefined {
    return this.source.records[0]?.starts.get(keyOf(placeOf(node.id, iteration)));
  }

  onRead(): void {}

  observe<T extends Outcome | Promise<Outcome>>(_node: GraphNode, _iteration: string, execute: () => T): T | Outcome {
    return execute();
  }

  answer(node: GraphNode, iteration: string, request: string | undefined): ReplayAnswer | typeof EXECUTE | undefined {
    const place = placeOf(node.id, iteration);
    const own = this.source.finished.get(keyOf(place));
    if (own) return this.#note(place, 'executed', own);
    const unchanged = request === undefined ? undefined : this.#recordedAnswer(place, request);
    if (unchanged) return this.#note(place, 'reused', unchanged);
    const [first] = this.source.records;
    const recorded = first && endOf(first, place);
    if (this.source.mayCall(node)) {
      if (this.source.defersUnrecorded && (!recorded || isAborted(recorded))) {
        this.#hasDeferred = true;
        return this.#note(place, 'held', undefined);
      }
      return this.#note(place, 'executed', EXECUTE);
    }
    if (recorded && !isAborted(recorded)) return this.#note(place, 'assumed', recorded);
    return this.#note(place, 'held', undefined);
  }

  #recordedAnswer(place: NodePlace, request: string): RecordedEnd | undefined {
    for (const record of this.source.records) {
      const end = record.requests.get(keyOf(place)) === request ? endOf(record, place) : undefined;
      if (end && !isAborted(end)) return end;
    }
    return undefined;
  }

  #note<T>(place: NodePlace, kind: RehearsedCall['kind'], answer: T): T {
    this.#calls.set(keyOf(place), { ...place, kind });
    return answer;
  }
}

function endOf(record: ReplayRecord, { node, iteration = '' }: NodePlace): RecordedEnd | undefined {
  return record.levels.get(iteration)?.finished.get(node);
}

function isAborted(end: RecordedEnd): boolean {
  return 'error' in end && WITHOUT_ANSWER.has(end.error.code);
}
