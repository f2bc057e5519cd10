import type { JsonObject } from '../../json-value.js';
import type { Ports } from '../../ports.js';
import type { Secrets } from '../../secrets.js';
import type { Graph } from '../graph/graph.js';
import type { ToolPins } from '../graph/node-kind.js';
import type { RecordedLevels } from './recorded.js';

export interface RunOptions {
  graph: Graph;
  /** Prepared: defaults filled in, secrets in clear. */
  input: Readonly<JsonObject>;
  runId: string;
  ports: Ports;
  /** What an earlier execution of this run left behind. */
  recorded?: RecordedLevels;
  /** Whoever left that behind goes on at once: a call that was about to be made is made, and was not interrupted. */
  isUninterrupted?: boolean;
  /** Ends the execution at once: what is in flight is aborted and the generator throws the signal's reason. */
  signal: AbortSignal;
  limits?: RunLimits;
  /** Defaults of secret fields: the triggers of loops' bodies have some too. */
  secrets?: Readonly<Secrets>;
  /** Calls the listener when something that the run waits for may have come; the answer ends that. */
  onSignal?(listener: () => void): () => void;
  /** By node: the forms of MCP tools that the run accepts. Absent: whatever the servers say. */
  pinsOf?(node: string): ToolPins;
}

export interface RunLimits {
  /** Working time, in seconds; of this execution alone. Default: unlimited. */
  maxSeconds?: number;
  /** UTF-8 bytes of all contents together. Default: unlimited. */
  maxBytes?: number;
  /** Nodes with outside effects that are in flight at the same time, at least 1. Default 32. */
  maxParallel?: number;
}
