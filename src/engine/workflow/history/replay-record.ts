import { type NodePlace, type RecordedLevels, toRecordedLevels } from '../run/recorded-state.js';
import type { RunEvent } from '../run/run-event.js';

/** The contents of the journal of an earlier run. Keys are created by `keyOf`. */
export interface ReplayRecord {
  levels: RecordedLevels;
  /** Hashes of resolved requests. */
  requests: ReadonlyMap<string, string>;
  /** Starts of the last attempts, as ISO 8601. */
  starts: ReadonlyMap<string, string>;
}

/** Identifies an execution of a node. */
export function keyOf({ node, iteration = '' }: NodePlace): string {
  return JSON.stringify([node, iteration]);
}

/** Reads the journal of a run. */
export function toReplayRecord(events: readonly RunEvent[]): ReplayRecord {
  const requests = new Map<string, string>();
  const starts = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'node.started') starts.set(keyOf(event), event.at);
    if ((event.type === 'node.succeeded' || event.type === 'node.failed') && event.request !== undefined)
      requests.set(keyOf(event), event.request);
  }
  return { levels: toRecordedLevels(events), requests, starts };
}
