import type { HttpResponse } from '../../http-port.js';
import { addUsage, type NodeUsage } from './node-usage.js';
import type { NodeError, NodeEvent, RunEvent, Wait } from './run-event.js';

/**
 * State that an earlier execution of the same run recorded. There is one level for the graph, with an empty key, and one for
 * each iteration of a loop. Iterations of nested loops are joined by dots, for example `2.0`.
 */
export type RecordedLevels = ReadonlyMap<string, RecordedLevel>;

/** Recorded state of the graph outside of loops, or of one iteration of a loop body. */
export interface RecordedLevel {
  /** Finished nodes, which are never executed again. */
  readonly finished: ReadonlyMap<string, RecordedEnd>;
  /** Nodes that began but are not finished. */
  readonly unfinished: ReadonlyMap<string, RecordedAttempt>;
  readonly skipped: ReadonlySet<string>;
  /** Model usage by node, over all attempts and steps. */
  readonly usages: ReadonlyMap<string, NodeUsage>;
}

/** Recorded end of a node. `continued`: the run continued after the failure. */
export type RecordedEnd =
  | { content: string; branch?: string; response?: HttpResponse }
  | { error: NodeError; continued: boolean; attempts?: number; status?: number };

/** The last attempt of an unfinished node. */
export interface RecordedAttempt {
  readonly attempt: number;
  readonly startedAt: string;
  /** True if the attempt did not fail: the process died or the run was suspended. */
  readonly isOpen: boolean;
  readonly steps: ReadonlyMap<string, RecordedStep>;
  /** Working time of its finished steps in milliseconds. */
  readonly workedMs: number;
}

/** Recorded state of a step. */
export interface RecordedStep {
  /** Number of times the step began. */
  readonly attempts: number;
  readonly startedAt?: string;
  /** Result of a finished step. */
  readonly content?: string;
  readonly wait?: Wait;
}

interface MutableLevel {
  finished: Map<string, RecordedEnd>;
  unfinished: Map<string, MutableAttempt>;
  skipped: Set<string>;
  usages: Map<string, NodeUsage>;
}

interface MutableAttempt extends RecordedAttempt {
  isOpen: boolean;
  steps: Map<string, RecordedStep>;
  workedMs: number;
  /** End of the last finished step, in milliseconds since 1970. Time that steps share counts once. */
  workedUntil: number;
}

/** Restores the state of an interrupted execution from its events. */
export function toRecordedLevels(events: Iterable<RunEvent>): RecordedLevels {
  const levels = new Map<string, MutableLevel>();
  for (const event of events) {
    if (!('node' in event)) continue;
    const { iteration = '' } = event;
    const level = levels.get(iteration) ?? {
      finished: new Map(),
      unfinished: new Map(),
      skipped: new Set(),
      usages: new Map(),
    };
    levels.set(iteration, level);
    if ('usage' in event && event.usage)
      level.usages.set(event.node, addUsage(level.usages.get(event.node), event.usage));
    record(level, event);
  }
  return levels;
}

function record({ finished, unfinished, skipped }: MutableLevel, event: NodeEvent): void {
  const { node } = event;
  switch (event.type) {
    case 'node.started':
      unfinished.set(node, {
        attempt: event.attempt,
        startedAt: event.at,
        isOpen: true,
        steps: new Map(),
        workedMs: 0,
        workedUntil: 0,
      });
      return;
    case 'node.retrying': {
      const openAttempt = unfinished.get(node);
      if (openAttempt) Object.assign(openAttempt, { isOpen: false, steps: new Map() });
      return;
    }
    case 'node.succeeded': {
      const { content, branch, response } = event;
      finished.set(node, {
        content,
        ...(branch === undefined ? {} : { branch }),
        ...(response === undefined ? {} : { response }),
      });
      unfinished.delete(node);
      return;
    }
    case 'node.failed': {
      const { error, continued, attempts, status } = event;
      const details = { ...(attempts === undefined ? {} : { attempts }), ...(status === undefined ? {} : { status }) };
      finished.set(node, { error, continued, ...details });
      unfinished.delete(node);
      return;
    }
    case 'node.skipped':
      skipped.add(node);
      return;
    default:
      recordStep(unfinished.get(node), event);
  }
}

function recordStep(openAttempt: MutableAttempt | undefined, event: Extract<NodeEvent, { step: string }>): void {
  if (!openAttempt) return;
  const earlier = openAttempt.steps.get(event.step) ?? { attempts: 0 };
  switch (event.type) {
    case 'node.step.started':
      openAttempt.steps.set(event.step, { ...earlier, attempts: earlier.attempts + 1, startedAt: event.at });
      return;
    case 'node.waiting':
      openAttempt.steps.set(event.step, { ...earlier, wait: event.wait });
      return;
    case 'node.step.succeeded': {
      openAttempt.steps.set(event.step, { ...earlier, content: event.content });
      if (!earlier.startedAt || earlier.wait) return;
      const end = Date.parse(event.at);
      const start = Math.max(Date.parse(earlier.startedAt), openAttempt.workedUntil);
      openAttempt.workedMs += Math.max(0, end - start - (event.waitedMs ?? 0));
      openAttempt.workedUntil = end;
    }
  }
}

/** Identifies a node in a run. Inside a loop body the iteration is part of the identity. */
export interface NodePlace {
  node: string;
  iteration?: string;
}

/** Creates the identity of a node; `iteration` is empty outside of loops. */
export function placeOf(node: string, iteration: string): NodePlace {
  return iteration === '' ? { node } : { node, iteration };
}

/** Returns the unfinished nodes. Nodes of loop bodies come before their loops. */
export function openNodes(events: Iterable<RunEvent>): NodePlace[] {
  const places: NodePlace[] = [];
  for (const [iteration, { unfinished }] of toRecordedLevels(events)) {
    for (const node of unfinished.keys()) places.push(placeOf(node, iteration));
  }
  return places.sort((a, b) => depth(b) - depth(a));
}

function depth({ iteration = '' }: NodePlace): number {
  return iteration === '' ? 0 : iteration.split('.').length;
}
