import type { Databases } from './databases/databases.js';
import type { Figure } from './report.js';

/** The parameters of a part of the benchmark. */
export interface Bench {
  databases: Databases;
  /** Rounds of every candidate: at least three for a meaningful median, one for a smoke test. */
  rounds: number;
  /** Duration of one round of one candidate. */
  roundMs: number;
  /** Whether the run only checks that the benchmark works, with the smallest sizes. */
  isSmoke: boolean;
  /** Prints a line of progress. */
  log(line: string): void;
  /** Adds a line to the report: parts that were skipped, and durations of preparations. */
  note(line: string): void;
}

export type Measure = (bench: Bench) => Promise<Figure[]>;
