import type { Viewer } from '../viewer.js';

/** What a key may still ask for in its present window. */
export interface Allowance {
  /** Requests a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, 1-60. */
  resetSeconds: number;
  /** When it ends, in Unix seconds by the database's clock. */
  resetAt: number;
  /** Whether this request fitted in; one that did not is not counted. */
  isGranted: boolean;
}

/** The viewer behind a key; `allowance` is null for a key without a limit and for what is not counted. */
export interface AuthResult {
  viewer: Viewer;
  allowance: Allowance | null;
}
