import type { Ports } from '../ports.js';
import type { RecordedRun } from './events/recorded.js';
import type { Scenario } from './scenario.js';

export type ScenarioPorts = Pick<Ports, 'clock' | 'llm' | 'images'>;

export interface ScenarioRunOptions {
  scenario: Scenario;
  runId: number;
  ports: ScenarioPorts;
  /** What an earlier execution of this run left behind. */
  recorded?: RecordedRun;
  /** Ends the execution at once: what is in flight is aborted and the generator throws the signal's reason. */
  signal: AbortSignal;
  limits?: ScenarioLimits;
}

export interface ScenarioLimits {
  /** Working time, in seconds; of this execution alone. Default: unlimited. */
  maxSeconds?: number;
  /** UTF-8 bytes of all results and local variables together. Default: unlimited. */
  maxBytes?: number;
  /** Messages in flight at the same time, at least 1. Default 32. */
  maxParallel?: number;
  /** For the answer to one message, in seconds. Default 600. */
  answerSeconds?: number;
}
