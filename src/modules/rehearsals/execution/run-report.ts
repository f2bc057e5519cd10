import type { Graph } from '../../../engine/workflow/graph/graph.js';
import type { RehearsalReplay, RehearsedCall } from '../../../engine/workflow/history/rehearsal-replay.js';
import { keyOf } from '../../../engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { normalize, sum } from '../../../platform/money/money.js';
import type { RecordedRun } from '../../workflow-runs/replay/recorded-runs.js';
import { RehearsedRunOutcome, type RunReport } from '../rehearsal.js';
import type { ExecutedCall } from './call-recorder.js';
import { changedNodes, endOf, errorText, keptOutput, outcomeOf, type RunEnd } from './compare-runs.js';
import { REHEARSAL_BUDGET } from './rehearsal-budget.js';
import { HELD_BACK } from './rehearsal-ports.js';

/** The end of the rehearsal of one run. */
export interface RehearsedEnd {
  outcome: RehearsedRunOutcome;
  report: RunReport;
  /** The end of the rehearsal; undefined: it was not reached. */
  end: RunEnd | undefined;
}

interface ReportParts {
  original: RecordedRun;
  graph: Graph;
  /** The masked events of the rehearsal. */
  events: readonly RunEvent[];
  replay: RehearsalReplay;
  executed: ReadonlyMap<string, ExecutedCall>;
}

/** Codes of errors that stop a rehearsal and say nothing about the graph. */
const STOPPING_ERRORS = new Set([REHEARSAL_BUDGET, HELD_BACK, 'budget_exceeded']);

/** The end of a run without an output and an error. */
const NO_END: RunEnd = { output: null, error: null };

/** Compares the end, cost and duration of a rehearsal with the record of the run. */
export function reportOf({ original, graph, events, replay, executed }: ReportParts): RehearsedEnd {
  const before = endOf(original.masked) ?? NO_END;
  const after = endOf(events);
  const calls = replay.calls;
  const isComplete = after !== undefined && !isStopped(events);
  const recorded = calls.filter(({ kind }) => kind === 'reused' || kind === 'assumed');
  const costs = [
    ...recorded.map(call => original.costs.of(call) ?? '0'),
    ...[...executed.values()].map(({ costUsd }) => costUsd),
  ];
  const report = {
    changes: isComplete ? changedNodes(graph, original.masked, events) : [],
    ...endsOf(before, after),
    costBeforeUsd: normalize(original.costs.total),
    costAfterUsd: sum(costs),
    durationBeforeMs: original.durationMs,
    durationAfterMs: durationOf(original, executed),
    executedCount: executed.size,
    reusedCount: calls.filter(({ kind }) => kind === 'reused').length,
    assumedNodeIds: nodesOf(calls, 'assumed'),
    heldNodeIds: nodesOf(calls, 'held'),
  };
  return { outcome: isComplete ? outcomeOf(before, after) : RehearsedRunOutcome.INCOMPLETE, report, end: after };
}

/** The end of a run whose graph or input is refused. It fails without a call. */
export function refusedEnd(original: RecordedRun, message: string): RehearsedEnd {
  const before = endOf(original.masked) ?? NO_END;
  const after = { output: null, error: { code: 'refused', message } };
  return {
    outcome: outcomeOf(before, after),
    report: { ...withoutCalls(original), ...endsOf(before, after) },
    end: after,
  };
}

/** The end of a run that must not be rehearsed with this graph. It stops without a call. */
export function incompleteEnd(original: RecordedRun, message: string): RehearsedEnd {
  const before = endOf(original.masked) ?? NO_END;
  const stopped = { output: null, error: { code: 'refused', message } };
  return {
    outcome: RehearsedRunOutcome.INCOMPLETE,
    report: { ...withoutCalls(original), ...endsOf(before, stopped) },
    end: undefined,
  };
}

/** The report of a run whose results have expired, or whose graph does not have the changed node. */
export function unavailableReport(message: string): RunReport {
  return { ...NO_CALLS, ...endsOf(NO_END, { output: null, error: { code: 'unavailable', message } }) };
}

const NO_CALLS = {
  ...{ changes: [], costBeforeUsd: '0', costAfterUsd: '0', durationBeforeMs: 0, durationAfterMs: 0 },
  ...{ executedCount: 0, reusedCount: 0, assumedNodeIds: [], heldNodeIds: [] },
};

function withoutCalls({ costs, durationMs }: RecordedRun) {
  return { ...NO_CALLS, costBeforeUsd: normalize(costs.total), durationBeforeMs: durationMs };
}

function endsOf(before: RunEnd, after: RunEnd | undefined) {
  return {
    outputBefore: keptOutput(before.output),
    outputAfter: keptOutput(after?.output ?? null),
    errorBefore: errorText(before),
    errorAfter: after ? errorText(after) : null,
  };
}

/** Returns true if the budget or a held call failed a node. */
function isStopped(events: readonly RunEvent[]): boolean {
  return events.some(event => event.type === 'node.failed' && STOPPING_ERRORS.has(event.error.code));
}

function nodesOf(calls: readonly RehearsedCall[], kind: RehearsedCall['kind']): string[] {
  return [...new Set(calls.filter(call => call.kind === kind).map(({ node }) => node))];
}

/** The recorded duration with that of the executed calls in place of the recorded ones. */
function durationOf({ masked, durationMs }: RecordedRun, executed: ReadonlyMap<string, ExecutedCall>): number {
  const starts = new Map<string, number>();
  let duration = durationMs;
  for (const event of masked) {
    if (!('node' in event)) continue;
    const key = keyOf(event);
    if (event.type === 'node.started' && !starts.has(key)) starts.set(key, Date.parse(event.at));
    if (event.type === 'node.succeeded' || event.type === 'node.failed')
      if (executed.has(key)) duration -= Date.parse(event.at) - (starts.get(key) ?? Date.parse(event.at));
  }
  return Math.max(0, duration + [...executed.values()].reduce((total, call) => total + call.durationMs, 0));
}
