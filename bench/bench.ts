import type { Databases } from './databases/databases.js';
import type { Figure } from './report.js';

/** What a part of the bench is given. */
export interface Bench {
  databases: Databases;
  /** Rounds of every contestant: at least three, or a median says nothing. One when smoking. */
  rounds: number;
  /** Of one round of one contestant. */
  roundMs: number;
  /** Whether it only shows that the bench still works: the smallest of everything. */
  isSmoke: boolean;
  /** A line of progress. */
  say(line: string): void;
  /** Goes into the report: what was left out, and how long preparations took. */
  note(line: string): void;
}

export type Measure = (bench: Bench) => Promise<Figure[]>;
