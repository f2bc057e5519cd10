import type { JsonObject } from '../../json-value.js';
import type { Ports } from '../../ports.js';
import type { Secrets } from '../../secrets.js';
import type { Graph } from '../graph/graph.js';
import type { ToolPins } from '../graph/node-kind.js';
import type { Replay } from '../history/replay.js';
import type { RecordedLevels } from './recorded-state.js';
import type { RunValues } from './run-scope.js';

/** Options of `runWorkflow`. */
export interface RunOptions extends RunValues {
  graph: Graph;
  /** Input with defaults applied and secrets in plaintext. */
  input: Readonly<JsonObject>;
  runId: string;
  /**
   * Prefix of the idempotency keys of calls. Default: `runId`. A rehearsal has its own, so that services execute its calls
   * instead of returning the results of the recorded run.
   */
  idempotencyPrefix?: string;
  ports: Ports;
  /** State from an earlier execution of this run. */
  recorded?: RecordedLevels;
  /**
   * True if the recorded execution continues directly in this process, as after an early start. A node that is recorded
   * as started has then not made its call yet, so the same attempt continues.
   */
  isUninterrupted?: boolean;
  /** Aborts the execution: nodes in flight are aborted and the generator throws the signal's reason. */
  signal: AbortSignal;
  limits?: RunLimits;
  /** Defaults of secret fields, including those of triggers in loop bodies. */
  secrets?: Readonly<Secrets>;
  /** Subscribes to external events that may end a wait. Returns the unsubscribe function. */
  onSignal?(listener: () => void): () => void;
  /** Returns the recorded MCP tool schemas of a node. Absent: any schema is accepted. */
  pinsOf?(node: string): ToolPins;
  /** Returns the keyed hash of a resolved request, which is recorded with its result. Absent: none is recorded. */
  digest?(request: string): string;
  /** Answers nodes with external effects or lets them be executed. Absent: all are executed. */
  replay?: Replay;
}

/** Limits of one execution. A run that is continued gets the rest of its time as `maxSeconds`. */
export interface RunLimits {
  /** Seconds after which the run fails with `run_timeout`, from the start of this execution. Default: unlimited. */
  maxSeconds?: number;
  /** Maximum UTF-8 bytes of all contents. Default: unlimited. */
  maxBytes?: number;
  /** Maximum number of nodes with external effects in flight, at least 1. Default: 32. */
  maxParallel?: number;
}
