import type { Ports } from '../ports.js';
import type { RecordedRun } from './events/recorded-run.js';
import type { LanguagePort } from './languages.js';
import type { Scenario } from './scenario.js';
import type { ServicePorts } from './services.js';

/** The ports that a scenario run uses. */
export type ScenarioPorts = Pick<Ports, 'clock' | 'llm' | 'images'> & ServicePorts & { languages: LanguagePort };

/** Options of `runScenario`. */
export interface ScenarioRunOptions {
  scenario: Scenario;
  runId: number;
  ports: ScenarioPorts;
  /** State from an earlier execution of this run. */
  recorded?: RecordedRun;
  /** Aborts the execution: calls in flight are aborted and the generator throws the signal's reason. */
  signal: AbortSignal;
  limits?: ScenarioLimits;
}

/** Limits of one execution. A run that is continued gets the rest of its time as `maxSeconds`. */
export interface ScenarioLimits {
  /** Seconds after which the run fails with `run_timeout`, from the start of this execution. Default: unlimited. */
  maxSeconds?: number;
  /** Maximum UTF-8 bytes of all results and local variables. Default: unlimited. */
  maxBytes?: number;
  /** Maximum number of messages in flight, at least 1. Default: 32. */
  maxParallel?: number;
  /** Timeout for the answer to one message, in seconds. Default: 600. */
  answerSeconds?: number;
}
